import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { placementsKey } from '../../src/bot/channels/job-entries.ts';
import { contentOf } from '../../src/config/schema/channel-jobs.ts';
import { checkPostgres } from '../../src/cli/checks/store-checks.ts';
import { placedChannels } from '../../src/cli/checks/channel-checks.ts';
import { storeReader } from '../../src/cli/open-store.ts';
import { parseEnvironment } from '../../src/config/environment.ts';
import { storeFile } from '../../src/server/store/engine/database.ts';
import { createStore, outpost } from '../harness/command-line.ts';
import { directUrl, newDatabase } from '../harness/new-store.ts';
import { onServer, type TestDatabase } from '../harness/postgres-databases.ts';
import { openValuesOf } from '../harness/small-values.ts';
import { idA, idB, run, steamA } from '../server/ingest/fixture.ts';

let folder: string;
let database: TestDatabase;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'outpost-cli-'));
  database = await newDatabase();
  const config = join(folder, 'outpost.yaml');
  writeFileSync(
    config,
    `projects:
  - slug: p
    name: P
    servers: [{ id: s, name: S, game: dayz, host: localhost, port: 2302, timezone: UTC }]
    banlists: [{ id: bans, name: Bans }]
`,
  );
  vi.stubEnv('OUTPOST_CONFIG', config);
  vi.stubEnv('OUTPOST_DATA', join(folder, 'data'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await database.drop();
  rmSync(folder, { recursive: true });
});

/** A log in which Bertram kills Annabella. */
function writeLog(): string {
  const player = (name: string, id: string, dead = '') =>
    `Player "${name}"${dead} (id=${id} pos=<1.0, 2.0, 3.0>)`;
  const file = join(folder, 'a.ADM');
  const kill = `${player('Annabella', idA, ' (DEAD)')} killed by ${player('Bertram', idB)} with M4A1 from 50.5 meters`;
  writeFileSync(file, run(`12:00:01 | Player "Annabella"(id=${idA}) is connected`, `12:10:00 | ${kill}`));
  return file;
}

/** Runs a command that has to succeed. */
async function json(...args: string[]): Promise<unknown> {
  const { code, out, err } = await outpost(...args, '--json');
  expect(code, `${err}${out}`).toBe(0);
  return JSON.parse(out);
}

describe('with a store on PostgreSQL', () => {
  beforeEach(() => vi.stubEnv('OUTPOST_STORE_URL', database.url));

  test('every command works, or names what to use instead', async () => {
    expect(await json('import', 'adm', '--server', 's', writeLog())).toMatchObject({ runs: { new: 1 } });
    const created = await json('app', 'create', '--project', 'p', '--name', 'Site', '--scopes', 'all');
    const { id } = created as { id: string };
    expect(await json('app', 'rotate', id)).toMatchObject({ id });
    expect(await json('app', 'list')).toMatchObject([{ id, name: 'Site' }]);
    expect(await json('app', 'revoke', id)).toEqual({ id, revoked: true });
    await json(
      'ban',
      'add',
      '--banlist',
      'bans',
      '--player',
      steamA,
      '--category',
      'CHEATING',
      '--reason',
      'x',
    );
    const [list] = ((await json('ban', 'list')) as { banlists: { bans: unknown[] }[] }).banlists;
    expect(list?.bans).toMatchObject([{ player: { steamId64: steamA }, reason: 'x' }]);
    await json('ban', 'lift', '--banlist', 'bans', '--player', steamA);
    expect(await json('sources')).toBeDefined();
    expect(await json('check-config', '--offline')).toBeDefined();

    await onServer(
      database.url,
      `INSERT INTO player_link SELECT project_id, '123', id, 1, 0 FROM player WHERE steam_id64 = '${steamA}'`,
    );
    expect(JSON.stringify(await json('player', 'export', steamA))).toContain('123');
    expect(await json('player', 'find', 'ANNA')).toMatchObject({
      players: [{ steamId64: steamA, project: 'p' }],
    });
    expect(await json('player', 'hide', idA)).toEqual({ players: 1 });
    expect(await json('player', 'show', idA)).toEqual({ players: 1 });
    expect(await json('player', 'forget', steamA, '--yes')).toMatchObject({
      players: 1,
      links: 1,
      wiped: true,
    });

    writeFileSync(join(folder, 'outpost.yaml'), 'projects: [{ slug: p, name: P }]');
    expect(await json('server', 'forget', 's', '--yes')).toMatchObject({ runs: 1 });

    expect(await outpost('backup')).toMatchObject({ code: 1, err: expect.stringContaining('pg_dump') });
    expect(await outpost('restore', 'x.sqlite.gz')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/pg_restore/),
    });
  });
});

test('store copy moves a data folder, and names no password', async () => {
  await json('import', 'adm', '--server', 's', writeLog());
  expect(await outpost('store', 'copy')).toMatchObject({ code: 2 });
  expect(await outpost('store', 'copy', '--to', 'mysql://u:secret@h/d')).toMatchObject({
    code: 2,
    err: expect.not.stringContaining('secret'),
  });
  vi.stubEnv('OUTPOST_STORE_URL', database.url);
  const copied = await outpost('store', 'copy');
  expect(copied).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^Copied .*: [\d,]+ rows in \d+ tables/),
  });
  expect(`${copied.out}${copied.err}`).not.toContain(new URL(database.url).password);
  expect(await json('player', 'export', idA)).toMatchObject({ players: [{}] });
  expect(await outpost('store', 'copy')).toMatchObject({
    code: 1,
    err: expect.stringContaining('holds a store already'),
  });
  // The folder still has what is forgotten in the copy.
  const forgotten = await outpost('player', 'forget', idA, '--yes');
  expect(forgotten.out).toContain(`need it: ${storeFile(join(folder, 'data'))}`);
});

test('a command says that the database can only be read, and where to read on', async () => {
  const url = directUrl(database.url);
  vi.stubEnv('OUTPOST_STORE_URL', url);
  await createStore();
  await onServer(url, `ALTER DATABASE "${database.name}" SET default_transaction_read_only = on`);
  expect(await outpost('app', 'create', '--project', 'p', '--name', 'X', '--scopes', 'all')).toMatchObject({
    code: 1,
    err: expect.stringMatching(
      /^the store cannot be used now: .* read-only transaction\. docs\/processes\.md says what to do/,
    ),
  });
});

describe('the doctor looks at a store on PostgreSQL', () => {
  const findings = async (url = database.url) =>
    [await checkPostgres(url)].map(({ status, key: about, found }) => `${status} ${about}: ${found}`);

  test('before and after the first start', async () => {
    expect(await findings()).toEqual([
      expect.stringMatching(/^good OUTPOST_STORE_URL: PostgreSQL 1\d.* the first start creates the tables/),
    ]);
    vi.stubEnv('OUTPOST_STORE_URL', database.url);
    // A command that only reads creates no tables, and does not answer as if nothing were stored.
    const { code, err } = await outpost('player', 'export', steamA);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^there is no store at postgres:.*OUTPOST_STORE_URL/),
    ]);
    expect((await findings())[0]).toMatch(/the first start creates the tables/);
    await createStore();
    expect(await findings()).toEqual([
      expect.stringMatching(/^good OUTPOST_STORE_URL: PostgreSQL 1\S+ answers, \d+(?:\.\d)? MB$/),
    ]);
  });

  test('that does not answer, refuses the password, or is of a newer Outpost', async () => {
    const away = new URL(database.url);
    away.port = '1';
    expect(await findings(away.href)).toEqual([expect.stringMatching(/^wrong .*ECONNREFUSED/)]);
    const stranger = new URL(database.url);
    stranger.password = 'x';
    expect(await findings(stranger.href)).toEqual([
      expect.stringMatching(/^wrong .*(?:password|SASL) authentication failed/),
    ]);
    vi.stubEnv('OUTPOST_STORE_URL', database.url);
    await createStore();
    await onServer(database.url, `INSERT INTO kysely_migration VALUES ('1.1.0-later', '')`);
    expect(await findings()).toEqual([expect.stringMatching(/^wrong .*was made by a newer Outpost/)]);
  });

  test('with what the database says, and the processes that share it; check-config does not ask it', async () => {
    vi.stubEnv('OUTPOST_STORE_URL', database.url);
    await createStore();
    const right = await outpost('doctor');
    expect(right.out).toMatch(/✓ OUTPOST_STORE_URL {2}postgres:.*PostgreSQL 1\S+ answers/);
    expect(right.out).toContain('✓ processes  OUTPOST_STORE_URL: none is running');
    const role = `outpost_${database.name}`;
    await onServer(database.url, `CREATE ROLE ${role} LOGIN PASSWORD 'x'`);
    const other = Object.assign(new URL(directUrl(database.url)), { username: role, password: 'x' });
    vi.stubEnv('OUTPOST_STORE_URL', other.href);
    const refused = await outpost('doctor');
    expect([refused.code, refused.out]).toEqual([1, expect.stringMatching(/✗ OUTPOST_STORE_URL .*\n +→ /)]);
    await onServer(database.url, `DROP OWNED BY ${role}`, `DROP ROLE ${role}`);
    vi.stubEnv('OUTPOST_STORE_URL', Object.assign(new URL(database.url), { port: '1' }).href);
    const away = await outpost('doctor');
    expect([away.code, away.out]).toEqual([
      1,
      expect.stringMatching(/✗ OUTPOST_STORE_URL .*ECONNREFUSED.*\n +→ docs\/processes/),
    ]);
    expect((await outpost('check-config')).code).toBe(0);
  });

  test('for what members placed, and creates nothing there', async () => {
    const environment = parseEnvironment({ OUTPOST_STORE_URL: database.url, OUTPOST_DATA: folder });
    const placed = async (storeUrl = database.url) =>
      await storeReader({ ...environment, storeUrl })(async (db) => await placedChannels(db), []);
    expect(await placed()).toEqual([]);
    expect(await onServer(database.url, "SELECT 1 FROM pg_tables WHERE schemaname = 'public'")).toEqual([]);
    const small = await openValuesOf(database.url);
    const content = contentOf('schedule', { servers: ['s'] });
    await small.of('bot').set(placementsKey, [{ id: '1', guildId: '1', channelId: '2', content }]);
    expect(await placed()).toMatchObject([
      { key: 'placed schedule post', channelId: '2', content, isPlaced: true },
    ]);
    await small.close();
    const away = new URL(database.url);
    away.port = '1';
    expect(await placed(away.href)).toEqual([]);
  });
});
