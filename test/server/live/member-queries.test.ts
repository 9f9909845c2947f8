import { createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { startSimulatedGameServer, type SimulatedGameServer } from '../../../src/demo/game-server.ts';
import { createFindAddress } from '../../../src/server/live/dns-cache.ts';
import { askDirectly, createOnlineList } from '../../../src/server/live/online-list.ts';
import { mayBeQueried } from '../../../src/server/live/public-address.ts';
import { createQuery, type QueryTarget } from '../../../src/server/live/query.ts';
import { createTestClock } from '../../harness/clock.ts';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function gameServer(host?: string): Promise<SimulatedGameServer> {
  const server = await startSimulatedGameServer({
    ...(host !== undefined && { host }),
    name: 'N',
    map: 'enoch',
    maxPlayers: 60,
    players: 12,
  });
  open.push(server);
  return server;
}

/** A resolver whose answers a test changes, and a query for servers that members added. */
function world(first: readonly string[]) {
  let addresses = first;
  let allowed = true;
  let asked = 0;
  const clock = createTestClock(0);
  const findAddressForMembers = createFindAddress({
    async lookup() {
      asked += 1;
      return addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
    monotonic: clock.monotonic,
    // 127.0.0.1 stands for an address of the internet, and 127.0.0.2 for one of the owner's network.
    accepts: (address) => (address === '127.0.0.1' ? allowed : mayBeQueried(address, false)),
  });
  return {
    clock,
    query: createQuery({ findAddressForMembers, socketTimeoutMs: 150 }),
    answer: (...next: string[]) => void (addresses = next),
    allow: (value: boolean) => void (allowed = value),
    lookups: () => asked,
  };
}

const target = (queryPort: number, over: Partial<QueryTarget> = {}): QueryTarget => ({
  game: 'dayz',
  host: 'play.example.org',
  port: 2302,
  queryPort,
  fromDiscord: true,
  ...over,
});

it('queries the address that was checked, and says which port answered', async () => {
  const { port } = await gameServer();
  const { query } = world(['127.0.0.1']);
  expect(await query(target(port))).toMatchObject({ players: 12, queryPort: port });
});

it('never reaches a name that moves to a private address after it was checked', async () => {
  const publicServer = await gameServer();
  const privateServer = await gameServer('127.0.0.2');
  const { query, answer, clock, lookups } = world(['127.0.0.1']);
  await query(target(publicServer.port));
  answer('127.0.0.2');
  // Until the next lookup the pinned address is queried, whatever the resolver would say now.
  await query(target(publicServer.port));
  expect(lookups()).toBe(1);
  clock.advance(15_000);
  await query(target(publicServer.port)).catch(() => undefined);
  for (const port of [publicServer.port, privateServer.port]) {
    await expect(query(target(port))).rejects.toMatchObject({ reason: 'refused' });
  }
  expect(privateServer.queries.info).toBe(0);
  // It is queried again once it is back.
  answer('127.0.0.1');
  await expect.poll(() => query(target(publicServer.port)).catch(() => null)).toMatchObject({ players: 12 });
});

it('refuses a name of which one address is private, even if others are public', async () => {
  const { port } = await gameServer();
  const { query } = world(['127.0.0.1', '10.0.0.1']);
  await expect(query(target(port))).rejects.toMatchObject({ reason: 'refused' });
});

it('refuses a known address as soon as the owner no longer allows it', async () => {
  const { port } = await gameServer();
  const { query, allow } = world(['127.0.0.1']);
  await query(target(port));
  allow(false);
  await expect(query(target(port))).rejects.toMatchObject({ reason: 'refused' });
  await expect(query(target(port, { host: '127.0.0.1' }))).rejects.toMatchObject({ reason: 'refused' });
});

it('refuses every server of members where no rule for their addresses was given', async () => {
  const { port } = await gameServer();
  const query = createQuery();
  await expect(query(target(port, { host: '127.0.0.1' }))).rejects.toMatchObject({ reason: 'refused' });
  // The owner's own are queried as ever.
  expect(await query(target(port, { host: '127.0.0.1', fromDiscord: false }))).toMatchObject({ players: 12 });
});

it('asks no game that would reach other addresses', async () => {
  const { query, lookups } = world(['127.0.0.1']);
  await expect(query(target(1, { game: 'eco' }))).rejects.toMatchObject({ reason: 'refused' });
  expect(lookups()).toBe(0);
});

it('connects a Minecraft server at the checked address, whatever its SRV record says', async () => {
  const server: Server = createServer((socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push(server);
  let connections = 0;
  server.on('connection', () => void (connections += 1));
  const { port } = server.address() as AddressInfo;
  const { query } = world(['127.0.0.1']);
  // No resolver knows the name: without the address the query could not connect.
  await query(target(port, { game: 'minecraft', host: 'mc.invalid' })).catch(() => undefined);
  expect(connections).toBeGreaterThan(0);
});

it('passes the rule on to live lists of players', async () => {
  const { port } = await gameServer();
  const { query } = world(['10.0.0.1']);
  const list = createOnlineList(askDirectly(query));
  expect(await list.read({ id: 's', ...target(port) })).toMatchObject({
    failure: expect.stringContaining('added in Discord'),
  });
});
