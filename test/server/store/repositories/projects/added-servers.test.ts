import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { configSchema, type ConfigInput } from '../../../../../src/config/schema.ts';
import { openWriter, type WriteDatabase } from '../../../../../src/server/store/engine/database.ts';
import {
  addServer,
  listAddedServers,
  removeAddedServer,
  type AddedServer,
  type NewServer,
} from '../../../../../src/server/store/repositories/projects/added-servers.ts';
import { addSamples, findLastAnswer } from '../../../../../src/server/store/repositories/projects/history.ts';
import { findProjectId } from '../../../../../src/server/store/repositories/projects/projects.ts';
import { reconcile } from '../../../../../src/server/store/repositories/projects/reconcile.ts';
import {
  forgetServer,
  renameServer,
} from '../../../../../src/server/store/repositories/projects/server-identity.ts';
import {
  findQueryTarget,
  listQueryTargets,
  listServers,
} from '../../../../../src/server/store/repositories/projects/servers.ts';
import { northwood } from '../../../../harness/northwood.ts';

let folder: string;
let writer: WriteDatabase;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-added-store-'));
  writer = await openWriter(join(folder, 'outpost.sqlite'), { busyTimeoutMs: 1_000 });
  await take(northwood());
});
afterEach(async () => {
  await writer.close();
  await rm(folder, { recursive: true, force: true });
});

const take = async (config: ConfigInput): Promise<AddedServer[]> =>
  await reconcile(writer.db, configSchema.parse(config));
const shown = async (slug = 'northwood'): Promise<string[]> =>
  (await listServers(writer.db, await findProjectId(writer.db, slug))).map(({ id }) => id);

const wanted: NewServer = {
  name: 'Añadido | Livonia №1',
  game: 'dayz',
  host: 'play.example.org',
  port: 2302,
  queryPort: null,
  guildId: '1',
  addedBy: '2',
};
async function add(over: Partial<NewServer> = {}, most = 10) {
  return await addServer(writer.db, 'northwood', { ...wanted, ...over }, { most, now: 1_000 });
}
const idOf = async (over: Partial<NewServer> = {}): Promise<string> => {
  const outcome = await add(over);
  return 'added' in outcome ? outcome.added.id : JSON.stringify(outcome);
};
const remove = (id: string) => removeAddedServer(writer.db, 'northwood', id, { by: '3', now: 2_000 });

it('derives ids from names, and never gives one twice', async () => {
  expect(await idOf()).toBe('anadido-livonia-no1');
  expect(await idOf({ port: 2402 })).toBe('anadido-livonia-no1-2');
  expect(await idOf({ port: 2502, name: '日本' })).toBe('server');
  expect(await idOf({ port: 2602, name: '日本' })).toBe('server-2');
  // Ids of other projects and of inactive servers are taken, too.
  expect(await idOf({ port: 2702, name: 'southshore 1' })).toBe('southshore-1-2');
  expect(await idOf({ port: 2802, name: 'Retired' })).toBe('retired-2');
  expect(await idOf({ port: 2902, name: 'x'.repeat(100) })).toBe('x'.repeat(40));
});

it('comes after the servers of the config, and stays through every reload', async () => {
  const id = await idOf();
  expect(await shown()).toEqual(['northwood-1', 'northwood-2', id]);
  await take(northwood());
  const [first] = northwood().projects[0]?.servers ?? [];
  await take(northwood({ servers: [first!], banlists: [] }));
  expect(await shown()).toEqual(['northwood-1', id]);
  await take(northwood());
  expect(await shown()).toEqual(['northwood-1', 'northwood-2', id]);
});

it('leaves with its project and returns with it', async () => {
  const id = await idOf();
  await take({ projects: northwood().projects.slice(1) });
  expect(await listAddedServers(writer.db)).toEqual([]);
  expect((await listQueryTargets(writer.db)).map((target) => target.id)).toEqual(['southshore-1']);
  await take(northwood());
  expect(await shown()).toEqual(['northwood-1', 'northwood-2', id]);
});

it('is known to come from a member wherever it is queried, until the config has it', async () => {
  const id = await idOf();
  const project = await findProjectId(writer.db, 'northwood');
  const origin = async () => [
    (await findQueryTarget(writer.db, project, id))?.fromDiscord,
    (await listQueryTargets(writer.db)).find((target) => target.id === id)?.fromDiscord,
    (await findQueryTarget(writer.db, project, 'northwood-1'))?.fromDiscord,
  ];
  expect(await origin()).toEqual([true, true, false]);
  const { name, game, host, port } = wanted;
  const servers = [...(northwood().projects[0]?.servers ?? []), { id, name, game, host, port }];
  expect(await take(northwood({ servers, banlists: [] }))).toMatchObject([{ id, addedBy: '2' }]);
  expect(await origin()).toEqual([false, false, false]);
  expect(await take(northwood())).toEqual([]);
  expect(await shown()).toEqual(['northwood-1', 'northwood-2']);
});

it('keeps its history when it is removed, and has it again when the same address is added', async () => {
  const id = await idOf();
  await addSamples(writer.db, id, [{ sampledAt: 60_000, players: 3, maxPlayers: 60 }]);
  expect(await remove(id)).toMatchObject({ id, addedBy: '2' });
  expect(await remove(id)).toBeNull();
  expect(await shown()).toEqual(['northwood-1', 'northwood-2']);
  expect(await idOf({ name: 'Other', host: 'other.example.org' })).toBe('other');
  expect(await idOf({ name: 'Back' })).toBe(id);
  expect(await findLastAnswer(writer.db, id)).toBe(60_000);
  expect((await listAddedServers(writer.db)).map(({ name }) => name)).toContain('Back');
});

it('never removes a server of the config, or of another project', async () => {
  const id = await idOf();
  expect(await remove('northwood-1')).toBeNull();
  expect(await removeAddedServer(writer.db, 'southshore', id, { by: '3', now: 2_000 })).toBeNull();
  expect(await shown()).toEqual(['northwood-1', 'northwood-2', id]);
});

it('refuses what the project has, by any of its ports, and more than the most', async () => {
  await add();
  expect(await add({ host: 'PLAY.example.org' })).toEqual({ known: wanted.name });
  expect(await add({ port: 9, queryPort: 2302 })).toEqual({ known: wanted.name });
  expect(await add({ host: '127.0.0.1', port: 9_999, queryPort: 1 })).toEqual({
    known: 'Northwood | Chernarus',
  });
  expect(await add({ port: 1 }, 1)).toEqual({ full: 1 });
  expect(await add({ port: 1 }, 0)).toEqual({ full: 0 });
  // Many at once are no way around it.
  const outcomes = await Promise.all(Array.from({ length: 8 }, (_, port) => add({ port: port + 1 }, 4)));
  expect(outcomes.filter((outcome) => 'added' in outcome)).toHaveLength(3);
});

it('is no target of bans: its files are out of reach', async () => {
  const id = await idOf();
  await take(northwood({ banlists: [{ id: 'all', name: 'All' }] }));
  const { server_ids } = await writer.db
    .selectFrom('ban_list')
    .select('server_ids')
    .where('id', '=', 'all')
    .executeTakeFirstOrThrow();
  expect(JSON.parse(server_ids)).not.toContain(id);
});

it('can be renamed and forgotten like any other', async () => {
  const id = await idOf();
  await renameServer(writer.db, id, 'renamed');
  expect((await listAddedServers(writer.db)).map((server) => server.id)).toEqual(['renamed']);
  await forgetServer(writer.db, 'renamed');
  expect(await listAddedServers(writer.db)).toEqual([]);
});

it('leaves a server to the config when the history of an added one is moved to it', async () => {
  const id = await idOf();
  const own = (await listQueryTargets(writer.db)).find(({ fromDiscord }) => !fromDiscord);
  await renameServer(writer.db, id, own!.id);
  expect((await listQueryTargets(writer.db)).filter(({ fromDiscord }) => fromDiscord)).toEqual([]);
  expect(await listAddedServers(writer.db)).toEqual([]);
  expect(await remove(own!.id)).toBeNull();
  expect(await shown()).toContain(own!.id);
});
