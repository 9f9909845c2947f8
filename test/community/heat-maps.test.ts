import { afterAll, beforeAll, expect, it } from 'vitest';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayzIdOf } from '../../src/api/identifiers.ts';
import type { Community, HeatQuery } from '../../src/commands/interfaces/community.ts';
import { createHeatMap } from '../../src/community/heat-maps.ts';
import { type Config, configSchema } from '../../src/config/schema.ts';
import { importLogs } from '../harness/logs.ts';
import { northwood, steamIds } from '../harness/northwood.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { storedFrom } from './stored.ts';

let folder: string;
let service: TestService;
let config: Config;
let heatMap: Community['heatMap'];

const hour = 3_600_000;
const day = 24 * hour;
const ids = [steamIds.ann, steamIds.bob, steamIds.cid].map((id) => dayzIdOf(id));

/** One death of each of three players at a place, at a moment of the service's clock. */
function deaths(ago: number, east: number, north: number): string[] {
  const at = new Date(service.clock.now - ago).toISOString();
  return [
    `AdminLog started on ${at.slice(0, 10)} at ${at.slice(11, 19)}`,
    ...ids.map(
      (id, index) =>
        `${at.slice(11, 19)} | Player "P${index}" (DEAD) (id=${id} pos=<${east}, ${north}, 9>) killed by Wolf`,
    ),
  ];
}

function configure(
  { servers, ...project }: { servers?: object; [key: string]: unknown } = {},
  feeds: object[] = [],
) {
  const whole = northwood({ killPositions: true, ...project }) as { projects: { servers: object[] }[] };
  Object.assign(whole.projects[0]!.servers[0]!, { logs: folder, timezone: 'UTC', ...servers });
  config = configSchema.parse({ ...whole, ...(feeds.length > 0 && { discord: { killFeeds: feeds } }) });
  const clock = { now: () => service.clock.now, monotonic: service.clock.monotonic };
  heatMap = createHeatMap(storedFrom(() => config, service.db, clock));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-heat-'));
  service = await startTestService(northwood());
  await service.db.updateTable('project').set({ kill_positions: 1 }).execute();
  await service.db.updateTable('server').set({ timezone: 'UTC' }).execute();
  const lines = [...deaths(3 * day, 4100, 10_500), ...deaths(2 * hour, 6100, 2500)];
  const file = join(folder, 'x.ADM');
  await writeFile(file, `${lines.join('\n')}\n`);
  const { failures } = await importLogs(service.db, { serverId: 'northwood-1', files: [file] });
  expect(failures).toEqual([]);
  // As if they had been read at once.
  await service.db
    .updateTable('death')
    .set(({ ref }) => ({ stored_at: ref('at') }))
    .execute();
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const read = async (over: Partial<HeatQuery> = {}) =>
  await heatMap({
    serverId: 'northwood-1',
    map: 'chernarusplus',
    kind: 'deaths',
    period: null,
    weapon: null,
    isFresh: false,
    ...over,
  });
const squares = async (over = {}): Promise<string[]> => {
  const answer = await read(over);
  return answer === null || answer === 'off' ? [] : answer.cells.map(({ x, z }) => `${x}:${z}`);
};

it('shows members what is older than a day, with the second figure of a position as north', async () => {
  configure();
  expect(await squares()).toEqual(['20:52']);
  expect(await read()).toMatchObject({
    delayMinutes: 1440,
    since: service.clock.now - 3 * day,
    imagePath: null,
  });
  expect(await squares({ kind: 'kills' })).toEqual([]);
});

it('shows managers what is older than the longest delay of a kill feed, and than five minutes', async () => {
  configure();
  expect(await squares({ isFresh: true })).toEqual(['20:52', '30:12']);
  expect(await read({ isFresh: true })).toMatchObject({ delayMinutes: 5 });
  const feed = { channelId: '123456789012345678', servers: ['northwood-1'] };
  configure({}, [
    { ...feed, delaySeconds: 60 },
    { ...feed, delaySeconds: 3 * 3600 },
  ]);
  expect(await squares({ isFresh: true })).toEqual(['20:52']);
  expect(await read({ isFresh: true })).toMatchObject({ delayMinutes: 180 });
});

it('counts a period from a little before it, as boards do', async () => {
  configure();
  const from = service.clock.now - 3 * day + 10 * 60_000;
  const period = { id: 'wipe', name: null, from, until: null, previous: null };
  expect(await squares({ period: { ...period, kind: 'wipe' } })).toEqual(['20:52']);
  expect(await squares({ period: { ...period, kind: 'week' } })).toEqual([]);
});

it('knows the map from the query, else from the config', async () => {
  configure({ servers: { map: 'enoch', mapImage: '/maps/enoch.png' } });
  expect(await read()).toMatchObject({ terrain: { meters: 15_360 }, imagePath: '/maps/enoch.png' });
  expect(await read({ map: null })).toMatchObject({ terrain: { meters: 12_800 } });
  configure();
  expect(await read({ map: null })).toMatchObject({ terrain: null });
});

it('leaves out what happened on the map before', async () => {
  const mapSince = new Date(service.clock.now - 2 * day);
  configure({ servers: { mapSince: mapSince.toISOString() } });
  expect(await squares({ isFresh: true })).toEqual(['30:12']);
  expect(await read()).toMatchObject({ cells: [], leftOut: 0, since: mapSince.getTime() });
  const period = { id: 'week', kind: 'week', name: null, until: null, previous: null };
  expect(await squares({ isFresh: true, period: { ...period, from: 0 } })).toEqual(['30:12']);
});

it('shows nothing where the project keeps no positions, or the server has no logs', async () => {
  configure({ killPositions: false });
  expect(await read()).toBe('off');
  configure();
  expect(await read({ serverId: 'northwood-2' })).toBeNull();
  expect(await read({ serverId: 'elsewhere' })).toBeNull();
  configure({ suspended: true });
  expect(await read()).toBeNull();
});
