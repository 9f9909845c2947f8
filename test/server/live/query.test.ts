import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import {
  startSimulatedGameServer,
  type GameServerOptions,
  type SimulatedGameServer,
} from '../../../src/demo/game-server.ts';
import { createFindAddress } from '../../../src/server/live/dns-cache.ts';
import { createOnlineList } from '../../../src/server/live/online-list.ts';
import { keepLatestResults } from '../../../src/server/live/latest-results.ts';
import {
  createQuery,
  QueryError,
  type QueryServer,
  type QueryTarget,
} from '../../../src/server/live/query.ts';
import { StoreUnavailable } from '../../../src/server/store/engine/error.ts';
import { createTestClock } from '../../harness/clock.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function gameServer(options: Partial<GameServerOptions> = {}): Promise<SimulatedGameServer> {
  const server = await startSimulatedGameServer({
    name: 'N',
    map: 'enoch',
    maxPlayers: 60,
    players: 12,
    ...options,
  });
  open.push(server);
  return server;
}

const target = (port: number): QueryTarget & { id: string } => ({
  id: 's',
  game: 'dayz',
  host: '127.0.0.1',
  port: 2302,
  queryPort: port,
});

it('reads map, players and slots of a DayZ server over UDP; its player list has no names', async () => {
  const { port } = await gameServer();
  const result = await createQuery({ now: () => 1_000 })(target(port));
  expect(result).toMatchObject({ map: 'enoch', players: 12, maxPlayers: 60, observedAt: 1_000 });
  expect(result.listed).toHaveLength(12);
  expect(result.listed.every(({ name, steamId64 }) => name === null && steamId64 === null)).toBe(true);
});

it('reads how long each player of a DayZ server has been on it, and how many wait to get in', async () => {
  const server = await gameServer();
  server.queue = 3;
  const result = await createQuery()(target(server.port));
  expect(result.queue).toBe(3);
  expect(result.listed.every(({ seconds }) => seconds !== null && seconds > 0)).toBe(true);
});

it('remembers what a server said last, until it says nothing', async () => {
  const server = await gameServer();
  const results = keepLatestResults(createQuery({ socketTimeoutMs: 150 }));
  const asked = target(server.port);
  expect(results.of(asked, 60_000)).toBeNull();
  await results.query(asked);
  expect(results.of(asked, 60_000)?.players).toBe(12);
  server.isOnline = false;
  await expect(results.query(asked)).rejects.toThrow('did not answer');
  expect(results.of(asked, 60_000)).toBeNull();
});

it('takes silence for no answer', async () => {
  const server = await gameServer();
  server.isOnline = false;
  const failure = await createQuery({ socketTimeoutMs: 150 })(target(server.port)).catch(
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(QueryError);
  expect(failure).toMatchObject({ reason: 'no_answer' });
});

it('takes garbage for unreadable, not for silence, and survives it', async () => {
  const server = await gameServer();
  server.sendsGarbage = true;
  const query = createQuery({ socketTimeoutMs: 150 });
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => query(target(server.port))));
  for (const outcome of outcomes) {
    expect(outcome.status).toBe('rejected');
    expect((outcome as PromiseRejectedResult).reason).toMatchObject({
      name: 'QueryError',
      reason: 'unreadable',
    });
  }
});

it('is not misled by another server that answers on the same port meanwhile', async () => {
  const up = await gameServer();
  const query = createQuery({ socketTimeoutMs: 150 });
  // Another loopback address with nothing behind it.
  const down = query({ ...target(up.port), host: '127.0.0.2' });
  const failure = expect(down).rejects.toMatchObject({ reason: 'no_answer' });
  for (let count = 0; count < 5; count += 1) await query(target(up.port));
  await failure;
});

it('is not misled by another server of the same host, where the query port is not known', async () => {
  const up = await gameServer();
  const query = createQuery({ socketTimeoutMs: 150 });
  const down = query({ ...target(1), queryPort: null });
  const failure = expect(down).rejects.toMatchObject({ reason: 'no_answer' });
  for (let count = 0; count < 5; count += 1) await query(target(up.port));
  await failure;
  up.sendsGarbage = true;
  const garbage = query({ ...target(1), port: up.port, queryPort: null });
  await expect(garbage).rejects.toMatchObject({ reason: 'unreadable' });
});

it.each([
  ['nothing after the header', [0xff, 0xff, 0xff, 0xff, 0x49]],
  ['a name without an end', [0xff, 0xff, 0xff, 0xff, 0x49, 17, ...Buffer.from('A'.repeat(1_000))]],
])('survives an info answer with %s', async (_name, bytes) => {
  const socket = createSocket('udp4');
  socket.on('message', (_request, from) => socket.send(Buffer.from(bytes), from.port, from.address));
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  open.push(socket);
  await expect(createQuery({ socketTimeoutMs: 150 })(target(socket.address().port))).rejects.toBeInstanceOf(
    QueryError,
  );
});

it('does not blame a server for a host name that does not resolve', async () => {
  const failure = createQuery({ socketTimeoutMs: 150 })({ ...target(1), host: 'no-such-host.invalid' });
  await expect(failure).rejects.toMatchObject({ reason: 'not_asked' });
});

it('does not blame a server for what this machine cannot send', async () => {
  // The system refuses to send there without being told that it is meant.
  const failure = createQuery({ socketTimeoutMs: 150 })({ ...target(1), host: '255.255.255.255' });
  await expect(failure).rejects.toMatchObject({ reason: 'not_asked' });
});

it('asks nothing of a host without an address of IPv4, and does not blame the server', async () => {
  const failure = createQuery({ socketTimeoutMs: 150 })({ ...target(27_016), host: '::1' });
  await expect(failure).rejects.toMatchObject({
    reason: 'not_asked',
    message: expect.stringContaining('IPv4'),
  });
  const findAddress = createFindAddress({ lookup: async () => [{ address: '2001:db8::1', family: 6 }] });
  const named = createQuery({ socketTimeoutMs: 150, findAddress })({ ...target(27_016), host: 'game.test' });
  await expect(named).rejects.toMatchObject({ reason: 'not_asked' });
});

describe('a resolver that stays silent', () => {
  const loopback = [{ address: '127.0.0.1', family: 4 }];
  const silence = new Promise<never>(() => undefined);

  it('is not taken for a server that is down', async () => {
    const findAddress = createFindAddress({ lookup: () => silence, waitMs: 50 });
    const failure = createQuery({ socketTimeoutMs: 150, findAddress })({ ...target(1), host: 'game.test' });
    await expect(failure).rejects.toMatchObject({ reason: 'not_asked' });
  });

  it('holds up no query of a host that was found before', async () => {
    const server = await gameServer();
    const clock = createTestClock();
    let lookups = 0;
    const lookup = async () => ((lookups += 1) === 1 ? loopback : await silence);
    const findAddress = createFindAddress({ lookup, monotonic: clock.monotonic, waitMs: 50 });
    const query = createQuery({ socketTimeoutMs: 150, findAddress });
    const named = { ...target(server.port), host: 'game.test' };
    await query(named);
    for (let hour = 0; hour < 3; hour += 1) {
      clock.advance(3_600_000);
      expect((await query(named)).players).toBe(12);
    }
    expect(lookups).toBe(2);
    // Nobody knows any more whether the server is still there.
    server.isOnline = false;
    await expect(query(named)).rejects.toMatchObject({ reason: 'not_asked' });
  });

  it('leaves threads to everything else, however many hosts there are', async () => {
    let asked = 0;
    let most = 0;
    const lookup = async () => {
      most = Math.max(most, (asked += 1));
      await new Promise((resolve) => setTimeout(resolve, 5));
      asked -= 1;
      return loopback;
    };
    const findAddress = createFindAddress({ lookup, waitMs: 60_000 });
    const hosts = Array.from({ length: 50 }, (_, index) => `game-${index}.test`);
    const found = await Promise.all(hosts.map(findAddress));
    expect(found).toEqual(hosts.map(() => ({ address: '127.0.0.1', confirmed: true })));
    expect(most).toBe(2);
  });
});

it('asks the game server once for parallel requests and again after five seconds', async () => {
  const server = await gameServer();
  let now = 1_000_000;
  const online = createOnlineList(createQuery({ now: () => now }), { monotonic: () => now });
  const together = await Promise.all(Array.from({ length: 10 }, () => online.read(target(server.port))));
  expect(together.filter((result) => 'cached' in result && !result.cached)).toHaveLength(1);
  expect(server.queries.info).toBe(1);
  expect(together[0]).toMatchObject({
    online: 12,
    listedPlayers: 12,
    players: [],
    incompletePlayers: 12,
    source: 'GAMEDIG',
    observedAt: new Date(1_000_000).toISOString(),
  });
  now += 4_999;
  server.setPlayers(20);
  expect(await online.read(target(server.port))).toMatchObject({ online: 12, cached: true });
  now += 1;
  expect(await online.read(target(server.port))).toMatchObject({ online: 20, cached: false });
});

it('says both figures when count and list of a server differ', async () => {
  const server = await gameServer({ players: 40 });
  server.listed = 3;
  const online = createOnlineList(createQuery({ socketTimeoutMs: 150 }));
  expect(await online.read(target(server.port))).toMatchObject({
    online: 40,
    listedPlayers: 3,
    incompletePlayers: 3,
  });
});

it('does not ask a silent server again within five seconds', async () => {
  const server = await gameServer();
  server.isOnline = false;
  let asked = 0;
  const query = createQuery({ socketTimeoutMs: 150 });
  const counted: QueryServer = (to) => {
    asked += 1;
    return query(to);
  };
  const online = createOnlineList(counted, { monotonic: () => 0 });
  expect(await online.read(target(server.port))).toEqual({ failure: expect.any(String) as string });
  expect(await online.read(target(server.port))).toEqual({ failure: expect.any(String) as string });
  expect(asked).toBe(1);
});

it('asks again at once after the store was away', async () => {
  const server = await gameServer();
  const query = createQuery();
  let isAway = true;
  const whileAway: QueryServer = async (to) => {
    if (isAway) throw new StoreUnavailable('away');
    return await query(to);
  };
  const online = createOnlineList(whileAway, { monotonic: () => 0 });
  await expect(online.read(target(server.port))).rejects.toThrow('away');
  isAway = false;
  expect(await online.read(target(server.port))).toMatchObject({ online: 12, cached: false });
});
