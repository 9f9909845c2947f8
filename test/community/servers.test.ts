import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayzIdOf } from '../../src/api/identifiers.ts';
import { withLoggedNames } from '../../src/community/roster-now.ts';
import { createServers } from '../../src/community/servers.ts';
import { createStoredPlayers } from '../../src/community/stored-players.ts';
import { configSchema } from '../../src/config/schema.ts';
import { keepLatestResults } from '../../src/server/live/latest-results.ts';
import { openReader, openWriter } from '../../src/server/store/engine/database.ts';
import { visibility } from '../../src/server/store/engine/schema/rights-tables.ts';
import { findProjectId } from '../../src/server/store/repositories/projects/projects.ts';
import { reconcile } from '../../src/server/store/repositories/projects/reconcile.ts';
import { listSchedules, saveServerStates } from '../../src/server/store/repositories/projects/servers.ts';
import { allListed } from '../harness/all-listed.ts';
import { createTestClock } from '../harness/clock.ts';
import { northwood, storeRoster } from '../harness/northwood.ts';
import { storedFrom } from './stored.ts';

const observedAt = Date.parse('2026-03-01T12:00:00Z');
const minute = 60_000;

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-servers-'));
  file = join(folder, 'outpost.sqlite');
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function start(http: object = {}, given: Parameters<typeof northwood>[0] = {}) {
  const clock = createTestClock(observedAt);
  const config = configSchema.parse({ ...northwood(given), http });
  const result = { map: null, players: 3, maxPlayers: 60, queue: 2, listed: [], observedAt };
  const results = keepLatestResults(async () => result, clock.monotonic);
  await results.query({ game: 'dayz', host: '127.0.0.1', port: 2302, queryPort: 1 });
  const writer = await openWriter(file);
  await reconcile(writer.db, config);
  const state = { status: 'ONLINE', map: null, players: 3, maxPlayers: 60, checkedAt: observedAt } as const;
  await saveServerStates(writer.db, [{ serverId: 'northwood-1', ...state }]);
  await writer.close();
  const { db, close } = openReader(file);
  const project = storedFrom(() => config, db, clock);
  const servers = createServers(project, results, allListed);
  const players = createStoredPlayers(project);
  const stop = { [Symbol.asyncDispose]: close };
  return { ...stop, project, servers, players, db, clock };
}

it("returns a server's latest query result, and nothing once it is old", async () => {
  await using world = await start();
  const { servers, clock } = world;
  expect(servers.live('northwood-1')).toEqual({ queue: 2, sessions: [], observedAt });
  expect(servers.live('nowhere')).toBeNull();
  clock.step(-60 * minute);
  clock.advance(5 * minute);
  expect(servers.live('northwood-1')).not.toBeNull();
  clock.advance(1);
  expect(servers.live('northwood-1')).toBeNull();
});

it('knows when a server of the project last answered', async () => {
  await using world = await start();
  const { servers } = world;
  expect(await servers.lastAnswerAt('northwood-1')).toBe(observedAt);
  expect(await servers.lastAnswerAt('nowhere')).toBeNull();
});

it.each(['https://play.example.org', 'https://play.example.org/'])(
  'makes links below %s, to servers that are there',
  async (publicUrl) => {
    await using world = await start({ publicUrl });
    const { servers } = world;
    expect(servers.joinUrl('northwood-1')).toBe('https://play.example.org/join/northwood-1');
    expect(servers.joinUrl('nowhere')).toBeNull();
  },
);

it('knows the public schedules of all servers at once, as the service has them one by one', async () => {
  await using world = await start();
  const { servers, db } = world;
  const ids = ['northwood-1', 'northwood-2', 'southshore-1', 'retired', 'nowhere'];
  const schedules = await servers.schedules(ids);
  expect([...(schedules ?? [])]).toEqual([
    ['northwood-1', await listSchedules(db, 'northwood-1')],
    ['northwood-2', []],
  ]);
  expect(schedules?.get('northwood-1')).toMatchObject([{ kind: 'RESTART' }]);
});

it.each([{ suspended: true }, { plan: 'FREE' as const }])(
  'knows no schedule that the service would refuse: %j',
  async (project) => {
    await using world = await start({}, project);
    expect(await world.servers.schedules(['northwood-1'])).toEqual(new Map());
  },
);

it('offers the address that the owner made public as text, and never host and port', async () => {
  const server = { id: 'northwood-1', name: 'Northwood', host: '10.0.0.5', port: 2302 };
  const addressOf = async (joinAddress: string | undefined, http: object = {}) => {
    await using world = await start(http, { servers: [{ ...server, joinAddress }] });
    return world.servers.joinAddress('northwood-1');
  };
  expect(await addressOf(undefined)).toBeNull();
  expect(await addressOf('play.example.org')).toBe('play.example.org:2302');
  expect(await addressOf('203.0.113.7:2402')).toBe('203.0.113.7:2402');
  expect(await addressOf('play.example.org', { publicUrl: 'https://example.org' })).toBeNull();
});

const withLogs = () => ({
  servers: northwood().projects[0]?.servers?.map((server) => ({
    ...server,
    ...(server.id !== 'northwood-2' && { logs: `/logs/${server.id}` }),
  })),
});

it('names who is on as the store has it, of servers whose logs are followed', async () => {
  await using world = await start({}, withLogs());
  const writer = await openWriter(file);
  for (const id of ['northwood-1', 'northwood-2', 'retired'])
    await storeRoster(writer.db, id, { a: 'Anna' }, observedAt);
  await writer.close();
  world.clock.advance(5_000);
  const found = await world.servers.loggedPlayers(['northwood-1', 'northwood-2', 'retired', 'nowhere']);
  expect([...(found ?? [])]).toEqual([
    [
      'northwood-1',
      {
        players: [{ name: 'Anna', seconds: 5, isLoading: false }],
        unnamed: 0,
        asOf: observedAt,
        isComplete: true,
      },
    ],
  ]);
});

describe('a live list', () => {
  const list = (players: string[], listedPlayers: number, online: number | null = listedPlayers) => ({
    online,
    listedPlayers,
    players: players.map((name) => ({ steamId64: '76561198000000001', name })),
    incompletePlayers: listedPlayers - players.length,
    observedAt: '2026-03-01T12:00:00.000Z',
    source: 'GAMEDIG' as const,
    cached: false,
  });

  it('has the names of the log where the query does not name everybody, without hidden players', async () => {
    await using world = await start({}, withLogs());
    const writer = await openWriter(file);
    const project_id = await findProjectId(writer.db, 'northwood');
    const dayz_id = dayzIdOf('76561198000000002');
    await writer.db
      .insertInto('player')
      .values({ project_id, name: 'Bert', dayz_id, hidden: visibility.hidden })
      .execute();
    await storeRoster(writer.db, 'northwood-1', { a: 'Anna', [dayz_id]: 'Bert', c: 'Cid' }, observedAt);
    await writer.close();
    world.clock.advance(5_000);
    const read = async (listed: ReturnType<typeof list>, id = 'northwood-1') =>
      (await withLoggedNames(world.project, id, listed)).fromLog;
    const fromLog = {
      asOf: '2026-03-01T12:00:00.000Z',
      isComplete: true,
      players: [
        { name: 'Anna', since: '2026-03-01T12:00:00.000Z' },
        { name: 'Cid', since: '2026-03-01T11:58:00.000Z' },
      ],
    };
    expect(await read(list([], 3))).toEqual(fromLog);
    expect(await read(list(['Anna', 'Bert'], 2, 3))).toEqual(fromLog);
    let at = world.project.now();
    const ticking = { ...world.project, now: () => (at += 7) };
    expect((await withLoggedNames(ticking, 'northwood-1', list([], 3))).fromLog).toEqual(fromLog);
    expect(await read(list([], 0, null))).toEqual(fromLog);
    expect(await read(list(['Anna', 'Bert', 'Cid'], 3))).toBeUndefined();
    expect(await read(list([], 0))).toBeUndefined();
    expect(await read(list([], 3), 'northwood-2')).toBeUndefined();
    world.clock.advance(31 * minute);
    expect(await read(list([], 3))).toBeUndefined();
  });
});

it("finds a player by the id in the game's own logs, and says what that is", async () => {
  await using world = await start();
  const { players } = world;
  const dayz_id = dayzIdOf('76561198000000001');
  const writer = await openWriter(file);
  const project_id = await findProjectId(writer.db, 'northwood');
  await writer.db
    .insertInto('player')
    .values([
      { project_id, name: 'Anna', dayz_id, hidden: 0 },
      { project_id, name: 'Bert', dayz_id: dayzIdOf('76561198000000002'), hidden: 1 },
    ])
    .execute();
  await writer.close();
  const [found, ...others] = await players.named(dayz_id);
  expect([found?.player.name, others]).toEqual(['Anna', []]);
  const anna = { kind: 'steamId64', value: '76561198000000001' } as const;
  for (const who of [{ ref: found!.ref }, anna]) expect((await players.details(who))?.gameId).toBe(dayz_id);
  expect(await players.named(dayzIdOf('76561198000000002'))).toEqual([]);
  expect(await players.details({ kind: 'steamId64', value: '76561198000000002' })).toBeNull();
});
