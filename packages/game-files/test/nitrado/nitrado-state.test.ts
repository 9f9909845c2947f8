import { tmpdir } from 'node:os';
import { expect, it, onTestFinished } from 'vitest';
import type { ServerState } from '../../src/nitrado/nitrado-state.ts';
import { RemotePlaces } from '../../src/remote/remote-places.ts';
import { createTestClock } from '../clock.ts';
import { type NitradoOptions, startNitrado } from '../servers/nitrado.ts';

const minuteMs = 60_000;

async function start(options: Partial<NitradoOptions> = {}) {
  const nitrado = await startNitrado({ root: tmpdir(), ...options });
  const clock = createTestClock();
  const hosts = new RemotePlaces({ clock });
  onTestFinished(async () => {
    await hosts.close();
    await nitrado[Symbol.asyncDispose]();
  });
  const { serviceId, token, url: baseUrl } = nitrado;
  const place = { type: 'nitrado' as const, serviceId, token, baseUrl };
  const read = async (): Promise<ServerState | null> => await hosts.stateAt(place);
  return { nitrado, clock, read, hosts, place };
}

const query = { server_name: 'N', map: 'enoch', version: '1.27', player_current: 12, player_max: 60 };
const settings = { config: { mission: 'dayzOffline.sakhal' } };

it.each([
  [{ status: 'started', slots: 32, query, settings }, 'ONLINE', 'enoch', 12, 60],
  [
    { status: 'started', slots: '32', query: { ...query, map: '', player_max: '50' } },
    'ONLINE',
    null,
    12,
    50,
  ],
  [{ status: 'started', slots: 32, query: { player_current: '3' }, settings }, 'ONLINE', 'sakhal', 3, 32],
  [{ status: 'started', slots: 32, query: [] }, 'ONLINE', null, null, 32],
  [{ status: 'started', query: { player_current: '', player_max: -1 } }, 'ONLINE', null, null, null],
  [{ status: 'stopped', slots: 32, query, settings }, 'OFFLINE', null, null, null],
  [{ status: 'restarting', query: [] }, 'OFFLINE', null, null, null],
  [{ status: 'suspended' }, 'OFFLINE', null, null, null],
  [{ status: 'something new', query }, 'UNKNOWN', null, null, null],
  [{ status: null }, 'UNKNOWN', null, null, null],
])('takes %j for %s', async (gameServer, status, map, players, maxPlayers) => {
  const { nitrado, clock, read } = await start();
  nitrado.gameServer = gameServer;
  expect(await read()).toEqual({ status, map, players, maxPlayers, checkedAt: clock.now() });
});

it('notices that another game was installed, on a console', async () => {
  const { nitrado, clock, read } = await start({ gamePath: '/games/ni4711_1/ftproot/dayz/' });
  expect(await read()).toBeNull();
  nitrado.gamePath = '/games/ni4711_1/noftp/dayzxb/';
  nitrado.isAllowed = false;
  clock.advance(60 * minuteMs);
  expect(await read()).toBeNull();
  nitrado.isAllowed = true;
  clock.advance(60 * minuteMs);
  expect((await read())?.status).toBe('ONLINE');
});

it('says nothing of a server on a PC, which answers queries, and asks once', async () => {
  const { nitrado, clock, read } = await start({ gamePath: '/games/ni4711_1/ftproot/dayz/' });
  for (let checks = 0; checks < 5; checks += 1) {
    expect(await read()).toBeNull();
    clock.advance(minuteMs);
  }
  expect(nitrado.requests).toHaveLength(1);
});

it('asks once a minute however often it is read, and seldom where few requests are allowed', async () => {
  const readFor = async (requestsPerHour: number, earlier = 0): Promise<number> => {
    const { nitrado, clock, read, hosts, place } = await start({ requestsPerHour });
    for (let id = 0; id < earlier; id += 1) hosts.at({ ...place, serviceId: String(id) }).of('logs');
    await hosts.keep([place]);
    for (let at = 0; at < 30 * minuteMs; at += 15_000) {
      expect((await read())?.status).toBe('ONLINE');
      clock.advance(15_000);
    }
    return nitrado.requests.length;
  };
  expect(await readFor(3_000)).toBe(30);
  const seldom = await readFor(60);
  expect(seldom).toBeLessThanOrEqual(8);
  // Servers that left the config take no part of the requests.
  expect(await readFor(60, 20)).toBe(seldom);
});

it('keeps the latest answer, with its age, for five minutes in which Nitrado gives none', async () => {
  const { nitrado, clock, read } = await start();
  const known = await read();
  nitrado.isAllowed = false;
  clock.advance(4 * minuteMs);
  expect(await read()).toEqual(known);
  clock.advance(2 * minuteMs);
  await expect(read()).rejects.toThrow('may not access the game server');
  nitrado.isAllowed = true;
  clock.advance(10 * minuteMs);
  expect(await read()).toMatchObject({ status: 'ONLINE', checkedAt: clock.now() });
});
