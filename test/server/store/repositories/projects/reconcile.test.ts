import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { weekdays } from '../../../../../src/api/resources.ts';
import { configSchema, type ConfigInput } from '../../../../../src/config/schema.ts';
import {
  openReader,
  openWriter,
  type WriteDatabase,
} from '../../../../../src/server/store/engine/database.ts';
import { listBanLists } from '../../../../../src/server/store/repositories/bans/ban-lists.ts';
import { findProjectId } from '../../../../../src/server/store/repositories/projects/projects.ts';
import { addMissing, reconcile } from '../../../../../src/server/store/repositories/projects/reconcile.ts';
import { listSchedules, listServers } from '../../../../../src/server/store/repositories/projects/servers.ts';
import { findServerState, saveServerState } from '../../../../harness/server-states.ts';
import { northwood } from '../../../../harness/northwood.ts';

let folder: string;
let file: string;
let writer: WriteDatabase;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-reconcile-'));
  file = join(folder, 'outpost.sqlite');
  writer = await openWriter(file);
});
afterEach(async () => {
  await writer.close();
  await rm(folder, { recursive: true, force: true });
});

const take = async (config: ConfigInput): Promise<void> => {
  await reconcile(writer.db, configSchema.parse(config));
};
const servers = async (): Promise<string[]> =>
  (await listServers(writer.db, await findProjectId(writer.db, 'northwood'))).map(({ id }) => id);

it('makes inactive what left the config, and takes it up again with its history when it returns', async () => {
  await take(northwood());
  expect(await servers()).toEqual(['northwood-1', 'northwood-2']);
  const checkedAt = 1_000;
  await saveServerState(writer.db, 'northwood-1', {
    status: 'ONLINE',
    map: 'enoch',
    players: 1,
    maxPlayers: 2,
    checkedAt,
  });
  await take(northwood({ servers: [], banlists: [] }));
  expect(await servers()).toEqual([]);
  expect(await listBanLists(writer.db, await findProjectId(writer.db, 'northwood'), 0)).toEqual([]);
  await take({ projects: northwood().projects.slice(1) });
  await expect(findProjectId(writer.db, 'northwood')).rejects.toThrow(/expected one of southshore/);
  await take(northwood());
  expect(await servers()).toEqual(['northwood-1', 'northwood-2']);
  expect(await findServerState(writer.db, 'northwood-1')).toMatchObject({ map: 'enoch', checkedAt });
});

it('takes changed names, order and schedules over without doubling anything', async () => {
  await take(northwood());
  await take(northwood());
  expect(await listSchedules(writer.db, 'northwood-1')).toHaveLength(1);
  const [first, second] = northwood().projects[0]?.servers ?? [];
  if (first === undefined || second === undefined) throw new Error('the config has two servers');
  await take(
    northwood({
      servers: [
        { ...second, name: 'New' },
        { ...first, schedules: [] },
      ],
      banlists: [],
    }),
  );
  expect(await servers()).toEqual(['northwood-2', 'northwood-1']);
  expect(await listSchedules(writer.db, 'northwood-1')).toEqual([]);
});

it('serves of a schedule only what belongs to its recurrence', async () => {
  const [first] = northwood().projects[0]?.servers ?? [];
  if (first === undefined) throw new Error('the config has a server');
  const schedules = (['DAILY', 'WEEKLY', 'INTERVAL'] as const).map((recurrence) => ({
    kind: 'EVENT' as const,
    title: 'E',
    recurrence,
    timeOfDay: '20:00',
    intervalMinutes: 60,
    weekdays: recurrence === 'WEEKLY' ? ['SAT' as const, 'SUN' as const] : [...weekdays],
    public: true,
  }));
  await take(northwood({ servers: [{ ...first, schedules }], banlists: [] }));
  expect(await listSchedules(writer.db, first.id)).toMatchObject([
    { recurrence: 'DAILY', intervalMinutes: null, weekdays: [], timeOfDay: '20:00' },
    { recurrence: 'WEEKLY', intervalMinutes: null, weekdays: ['SAT', 'SUN'], timeOfDay: '20:00' },
    { recurrence: 'INTERVAL', intervalMinutes: 60, weekdays: [], timeOfDay: '20:00' },
  ]);
});

it('serves the time zones of schedules as IANA spells them, however the config does', async () => {
  const [first] = northwood().projects[0]?.servers ?? [];
  if (first === undefined) throw new Error('the config has a server');
  const daily = { kind: 'EVENT', title: 'E', recurrence: 'DAILY', timeOfDay: '20:00', public: true } as const;
  const timezones = ['america/new_york', 'Asia/Calcutta', 'EST', undefined];
  await take(
    northwood({
      servers: [
        { ...first, timezone: 'utc', schedules: timezones.map((timezone) => ({ ...daily, timezone })) },
      ],
      banlists: [],
    }),
  );
  expect((await listSchedules(writer.db, first.id)).map(({ timezone }) => timezone)).toEqual([
    'America/New_York',
    'Asia/Calcutta',
    'EST',
    'UTC',
  ]);
});

it('refuses to hand the history of a server or a ban list to another project, and changes nothing then', async () => {
  await take(northwood());
  const [north, south] = northwood().projects;
  const moved = { ...south, servers: north?.servers ?? [], banlists: [] };
  await expect(take({ projects: [moved as never] })).rejects.toThrow(/belongs to another project/);
  expect(await servers()).toEqual(['northwood-1', 'northwood-2']);
});

it('adds what is missing and touches nothing else, where a command works beside a running service', async () => {
  await take(northwood());
  const changed = northwood({ suspended: true });
  changed.projects.push({
    slug: 'west',
    name: 'West',
    servers: [{ id: 'w', name: 'W', host: 'h', port: 1 }],
  });
  await addMissing(writer.db, configSchema.parse(changed));
  const rows = await writer.db.selectFrom('project').select(['slug', 'suspended']).orderBy('slug').execute();
  expect(rows).toEqual([
    { slug: 'northwood', suspended: 0 },
    { slug: 'southshore', suspended: 0 },
    { slug: 'west', suspended: 0 },
  ]);
  expect(await servers()).toEqual(['northwood-1', 'northwood-2']);
});

it('reads through a connection on which every statement that writes is refused', async () => {
  await take(northwood());
  const reader = openReader(file);
  // The type leaves only reading; what a mistake could still send is tried here.
  const db = reader.db as WriteDatabase['db'];
  const values = { id: 'x', slug: 'x', name: 'x', plan: 'PRO', suspended: 0, support: '{}', active: 1 };
  await expect(db.insertInto('project').values(values).execute()).rejects.toThrow(/readonly/);
  await expect(db.updateTable('project').set({ suspended: 1 }).execute()).rejects.toThrow(/readonly/);
  await expect(db.deleteFrom('project').execute()).rejects.toThrow(/readonly/);
  await expect(db.schema.dropTable('project').execute()).rejects.toThrow(/readonly/);
  await reader.close();
});

it('says for how long a project keeps kills, and whether with positions', async () => {
  const kept = () => writer.db.selectFrom('project').select(['kills_kept_ms', 'kill_positions']).execute();
  await take({ projects: northwood().projects.slice(0, 1) });
  expect(await kept()).toEqual([{ kills_kept_ms: 90 * 86_400_000, kill_positions: 0 }]);
  const [project] = northwood({ killsKept: '1y', killPositions: true }).projects;
  if (project === undefined) throw new Error('the config has a project');
  await take({ projects: [project] });
  expect(await kept()).toEqual([{ kills_kept_ms: 365 * 86_400_000, kill_positions: 1 }]);
});

it('says whether boards of a project show who is banned for good', async () => {
  const hides = () => writer.db.selectFrom('project').select('hide_banned').execute();
  await take({ projects: northwood().projects.slice(0, 1) });
  expect(await hides()).toEqual([{ hide_banned: 1 }]);
  await take({ projects: northwood({ leaderboards: { banned: 'show' } }).projects.slice(0, 1) });
  expect(await hides()).toEqual([{ hide_banned: 0 }]);
});

it('changes nothing where one project is refused', async () => {
  await take(northwood());
  const config = configSchema.parse(northwood({ suspended: true }));
  const moved = { ...config.projects[1]!, name: 'Moved', servers: config.projects[0]!.servers };
  await expect(reconcile(writer.db, { projects: [config.projects[0]!, moved] })).rejects.toThrow(
    /^the server id "northwood-1" belongs to another/,
  );
  const rows = await writer.db.selectFrom('project').select(['name', 'suspended']).orderBy('name').execute();
  expect(rows).toEqual([
    { name: 'Northwood', suspended: 0 },
    { name: 'Southshore', suspended: 0 },
  ]);
});

it('keeps the ids of schedules that have not changed', async () => {
  const ids = async () =>
    (await writer.db.selectFrom('schedule').select('id').orderBy('id').execute()).map(({ id }) => id);
  await take(northwood());
  const before = await ids();
  await take(northwood({ suspended: true }));
  expect(before).not.toEqual([]);
  expect(await ids()).toEqual(before);
});
