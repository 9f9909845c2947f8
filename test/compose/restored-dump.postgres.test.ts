import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { compose } from '../../src/compose/compose.ts';
import { configSchema } from '../../src/config/schema.ts';
import { openValuesOf } from '../harness/small-values.ts';
import { discardList, forgetPlayer } from '../../src/server/store/rights/forget-player.ts';
import { readForgottenList } from '../../src/server/store/rights/forgotten-list.ts';
import { listCopyFile } from '../../src/server/store/rights/list-copy.ts';
import { withoutDiscord } from '../harness/environment.ts';
import { type NewStore, openNewDatabase } from '../harness/new-store.ts';
import { steamA, temporaryFolder } from '../server/ingest/fixture.ts';

const key = 'c0'.repeat(32);
const steamB = '76561198000000002';
const log = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
let logged: string[];
let store: NewStore;
let folder: string;
beforeEach(async () => {
  logged = [];
  folder = temporaryFolder();
  store = await openNewDatabase({ busyTimeoutMs: 10_000 });
});
afterEach(() => store.close());

const config = configSchema.parse({ projects: [{ slug: 'p', name: 'P' }] });

/** Starts a process on this store, and stops it. */
async function startOnce(forgottenKey: string | undefined = key, machine = folder): Promise<void> {
  const outpost = await compose({
    config,
    roles: ['follow'],
    environment: withoutDiscord(join(machine, 'data'), { storeUrl: store.location, forgottenKey }),
    log,
  });
  await outpost.close();
}

async function storePlayers(): Promise<void> {
  await startOnce();
  const { id } = await store.db.selectFrom('project').select('id').executeTakeFirstOrThrow();
  for (const [name, steam_id64] of [
    ['Ann', steamA],
    ['Bob', steamB],
  ] as const) {
    await store.db.insertInto('player').values({ project_id: id, name, steam_id64 }).execute();
  }
}
/** A row without a name stands for everybody who is forgotten. */
const players = async (): Promise<string[]> =>
  (await store.db.selectFrom('player').select('name').orderBy('name').execute()).flatMap(
    ({ name }) => name ?? [],
  );
const forget = (steamId64: string) => forgetPlayer(store.db, { identity: { steamId64 } });

/** As a dump that is restored later: everything as it is now. */
async function dump(): Promise<() => Promise<void>> {
  const rows = {
    player: await store.db.selectFrom('player').selectAll().execute(),
    forgotten: await store.db.selectFrom('forgotten').selectAll().execute(),
    rights: await store.db.selectFrom('rights').selectAll().executeTakeFirstOrThrow(),
  };
  return async () => {
    await store.db.deleteFrom('player').execute();
    await store.db.deleteFrom('forgotten').execute();
    await store.db.insertInto('player').values(rows.player).execute();
    if (rows.forgotten.length > 0) await store.db.insertInto('forgotten').values(rows.forgotten).execute();
    await store.db.updateTable('rights').set(rows.rights).execute();
  };
}

test('the start forgets players again whom a restored dump brings back', async () => {
  await storePlayers();
  const restore = await dump();
  await forget(steamA);
  await startOnce();
  expect(await players()).toEqual(['Bob']);
  const copy = listCopyFile(join(folder, 'data'));
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  expect(readFileSync(copy, 'utf8')).not.toContain(steamA);

  await restore();
  expect(await players()).toEqual(['Ann', 'Bob']);
  const small = await openValuesOf(store.location);
  onTestFinished(small.close);
  const links = small.of<string>('bot');
  await links.set('player:1', steamA);
  await links.set('player:2', steamB);
  logged = [];
  await startOnce();
  expect(await players()).toEqual(['Bob']);
  expect(logged.join()).toContain('they were forgotten again');
  expect([await links.get('player:1'), await links.get('player:2')]).toEqual([undefined, steamB]);
  expect((await readForgottenList(store.db)).hasPerson({ steamId64: steamA })).toBe(true);
  logged = [];
  await startOnce();
  expect(logged).toEqual([]);
});

test('also of a dump whose list had other players, and on a machine that was off meanwhile', async () => {
  await storePlayers();
  await forget(steamB);
  const restore = await dump();
  await forget(steamA);
  const off = temporaryFolder();
  await startOnce(key, off);
  await startOnce();
  await restore();
  await startOnce();
  expect(await players()).toEqual([]);
  await startOnce(key, off);
  expect(logged.filter((line) => line.includes('forgotten again'))).toHaveLength(1);
});

test('no start without the key of the players who came back', async () => {
  await storePlayers();
  const restore = await dump();
  await forget(steamA);
  await startOnce();
  await restore();
  await expect(startOnce('ab'.repeat(32))).rejects.toThrow('the key of that list is missing');
  expect(await players()).toEqual(['Ann', 'Bob']);
  rmSync(listCopyFile(join(folder, 'data')));
  await startOnce('ab'.repeat(32));
});

test('no start with a damaged copy, which stays as it is', async () => {
  await storePlayers();
  await forget(steamA);
  await startOnce();
  const copy = listCopyFile(join(folder, 'data'));
  writeFileSync(copy, '{"revision":');
  await expect(startOnce()).rejects.toThrow(/cannot read .*forgotten\.json.*delete the file/s);
  expect(readFileSync(copy, 'utf8')).toBe('{"revision":');
});

test('a list that was discarded stays so', async () => {
  await storePlayers();
  await forget(steamA);
  await startOnce();
  await discardList(store.db);
  await startOnce();
  expect((await readForgottenList(store.db)).isEmpty).toBe(true);
  expect(() => statSync(listCopyFile(join(folder, 'data')))).toThrow('ENOENT');
});
