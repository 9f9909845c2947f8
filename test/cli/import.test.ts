import { copyFile, mkdir, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { run } from '../../src/cli/program.ts';
import { openWriter, storeFile } from '../../src/server/store/engine/database.ts';
import { banSource } from '../../src/server/store/repositories/bans/ban-sources.ts';
import { outpost } from '../harness/command-line.ts';
import { northwood } from '../harness/northwood.ts';
import { temporaryFolder } from '../server/ingest/fixture.ts';

const samples = fileURLToPath(new URL('../../packages/dayz-files/test/samples', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = temporaryFolder();
  const config = join(folder, 'outpost.yaml');
  await writeFile(config, stringify(northwood()));
  vi.stubEnv('OUTPOST_CONFIG', config);
  vi.stubEnv('OUTPOST_DATA', join(folder, 'data'));
});
afterEach(() => void vi.unstubAllEnvs());

/** Runs a command that answers with JSON. */
// Tests look into answers freely.
// oxlint-disable-next-line typescript/no-explicit-any
async function json(...args: string[]): Promise<any> {
  const { code, out } = await outpost(...args, '--json');
  expect([code, out]).toEqual([0, expect.stringMatching(/^\{/)]);
  return JSON.parse(out);
}

test('brings zombie kills from players.db and bans from a ban file', async () => {
  const database = join(samples, 'server-a', 'players.db');
  const { characters } = await json('import', 'players-db', '--server', 'northwood-1', database);
  expect(characters).toBeGreaterThan(0);
  const bans = join(samples, 'bans', 'battleye-arma-2.txt');
  const report = await json('import', 'bans', '--banlist', 'northwood-bans', '--format', 'battleye', bans);
  expect(report.added).toBeGreaterThan(5);
  const player = ['--banlist', 'northwood-bans', '--player', '76561198207985320'];
  const reason = ['--category', 'CHEATING', '--reason', 'aimbot', '--for', '7d'];
  await json('ban', 'add', ...player, ...reason.slice(0, -1), '5217w');
  const added = await json('ban', 'add', ...player, ...reason);
  expect(Date.parse(added.expiresAt) - Date.now()).toBeGreaterThan(6 * 86_400_000);
  const { banlists } = await json('ban', 'list');
  const [{ id, banCount, bans: listed }] = banlists;
  expect([id, banCount]).toEqual(['northwood-bans', listed.length]);
  expect(listed[0]).toMatchObject({ reason: 'aimbot', expiresAt: added.expiresAt });
  expect(Date.parse(added.expiresAt) - Date.parse(listed[0].startsAt)).toBe(7 * 86_400_000);
  const { out } = await outpost('ban', 'list', '--banlist', 'northwood-bans');
  expect(out.split('\n').slice(0, 2)).toEqual([
    `northwood-bans: ${banCount} bans`,
    `  76561198207985320  CHEATING  until ${added.expiresAt}, PENDING on northwood-1  aimbot`,
  ]);
  const unknown = await outpost('ban', 'list', '--banlist', 'bans');
  expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('northwood-bans') });
  const lift = ['ban', 'lift', ...player];
  expect((await json(...lift)).lifted).toBe(1);
  expect((await outpost(...lift)).code).toBe(1);
});

test('says which bans of a ban file have ended', async () => {
  const file = join(folder, 'bans.txt');
  const read = () => outpost('import', 'bans', '--banlist', 'northwood-bans', '--format', 'battleye', file);
  await writeFile(file, `${'a'.repeat(32)} 1400000000 cheats\n`);
  expect((await read()).out).toContain('0 bans in force, 1 ended (1 added,');
  await writeFile(file, `${'a'.repeat(32)} 1400000000 cheats\n${'b'.repeat(32)} -1 cheats\n`);
  expect((await read()).out).toContain('1 ban in force, 1 ended (1 added,');
});

test('knows a ban file at a host from one on this machine', async () => {
  const file = join(folder, 'bans.txt');
  await writeFile(file, `${'a'.repeat(32)} -1 cheats\n`);
  const config = northwood();
  const files = { type: 'sftp', host: 'h', username: 'u', password: { env: 'PATH' } };
  Object.assign(config.projects[0]?.servers?.[0] ?? {}, { files });
  Object.assign(config.projects[0]?.banlists?.[0] ?? {}, {
    sources: [{ file, filesOf: 'northwood-1', format: 'battleye' }],
  });
  await writeFile(join(folder, 'outpost.yaml'), stringify(config));
  await json('import', 'bans', '--banlist', 'northwood-bans', '--format', 'battleye', file);
  const player = ['--banlist', 'northwood-bans', '--player', '76561198207985320'];
  await json('ban', 'add', ...player, '--category', 'CHEATING', '--reason', 'aimbot');
  const { db, close } = await openWriter(storeFile(join(folder, 'data')));
  const imported = db.selectFrom('ban').select('source').where('source', '!=', 'cli');
  expect(await imported.execute()).toEqual([{ source: 'import:battleye:bans.txt' }]);
  // As a running Outpost reads it at the host.
  const [own] = await db.selectFrom('ban').selectAll().where('source', '=', 'cli').execute();
  if (own === undefined) throw new Error('no ban was added');
  const source = banSource('config', 'battleye', file, 'northwood-1');
  await db
    .insertInto('ban')
    .values({ ...own, id: own.id + 1, source, source_key: 'x' })
    .execute();
  await close();
  const named = `battleye:northwood-1:${file}`;
  expect(await json('ban', 'lift', ...player)).toMatchObject({ lifted: 1, stillIn: [named] });
});

test("bans a player by the game's own id, the only one on consoles", async () => {
  const id = 'w4ytVR-Vgt1Gv6Uf1YVSoc_uTDI6nou2D13rcrcRnoY=';
  const player = ['--banlist', 'northwood-bans', '--player', id];
  await json('ban', 'add', ...player, '--category', 'CHEATING', '--reason', 'aimbot');
  const { out } = await outpost('ban', 'list');
  expect(out).toMatch(/^northwood-bans: 1 ban\n {2}a player without a SteamID64 {2}CHEATING {2}permanent/);
  expect((await json('ban', 'lift', ...player)).lifted).toBe(1);
});

test('shows on a terminal how far an import is', async () => {
  const players = join(folder, 'players.json');
  const people = Array.from({ length: 1_500 }, (_, i) => ({
    steamId64: `${76561198000000000n + BigInt(i)}`,
  }));
  await writeFile(players, JSON.stringify(people));
  const bans = join(samples, 'bans', 'battleye-arma-2.txt');
  const server = ['--server', 'northwood-1'];

  /** The lines that an import shows on a terminal, each in place of the one before. */
  async function shown(...args: string[]): Promise<string[]> {
    const lines: string[] = [];
    const output = { out: () => undefined, err: () => undefined };
    const progress = (line: string): void => void lines.push(line);
    expect(await run(['import', ...args], { ...output, progress })).toBe(0);
    expect(lines.at(-1)).toBe('');
    return lines.slice(0, -1);
  }
  expect(await shown('players', '--project', 'northwood', players)).toEqual([
    '66 % of 1,500 players stored',
    '100 % of 1,500 players stored',
  ]);
  const list = ['--banlist', 'northwood-bans', '--format', 'battleye'];
  expect(await shown('bans', ...list, bans)).toEqual([expect.stringMatching(/^100 % of \d+ bans stored$/)]);
  expect(await shown('players-db', ...server, join(samples, 'server-a', 'players.db'))).toEqual([
    'reading the characters',
    expect.stringMatching(/^storing [\d,]+ characters$/),
    expect.stringMatching(/^computing the figures of [\d,]+ players$/),
  ]);
});

test('says why bans were lifted by a ban file of the same name', async () => {
  const command = ['import', 'bans', '--banlist', 'northwood-bans', '--format', 'battleye'];
  const said: string[] = [];
  for (const digit of ['a', 'b']) {
    const file = join(folder, digit, 'bans.txt');
    await mkdir(dirname(file));
    await writeFile(file, `${digit.repeat(32)} -1 cheats\n`);
    said.push((await outpost(...command, file)).out);
  }
  expect(said).toEqual([
    expect.not.stringContaining('files with the same name'),
    expect.stringMatching(/1 lifted.*another bans\.txt.*files with the same name count as one/s),
  ]);
});

test('refuses what it cannot read, names the file and what was expected, and ends with 1', async () => {
  const noLog = join(folder, 'shopping.ADM');
  await writeFile(noLog, 'eggs\nmilk\n');
  const broken = join(folder, 'players.db');
  await copyFile(join(samples, 'server-a', 'players.db'), broken);
  await truncate(broken, 9_000);
  await writeFile(join(folder, 'list.json'), '[{"steamId64":1}]');
  for (const [args, said] of [
    [['adm', '--server', 'northwood-1', noLog], /AdminLog started on/],
    [['adm', '--server', 'northwood-1', join(folder, 'nowhere.ADM')], /no such file/],
    [['adm', '--server', 'nowhere', noLog], /expected one of northwood-1/],
    [['players-db', '--server', 'northwood-1', broken], /players\.db/],
    [['players-db', '--server', 'northwood-1', noLog], /shopping\.ADM/],
    [['bans', '--banlist', 'northwood-bans', '--format', 'vpp', noLog], /shopping\.ADM/],
    [['players', '--project', 'northwood', join(folder, 'list.json')], /17 digits/],
    [
      ['players', '--project', 'northwood', join(samples, 'server-a', 'players.db')],
      /"outpost import players-db" reads the players\.db of a game/,
    ],
  ] as const) {
    const { code, err } = await outpost('import', ...args);
    expect([code, args[0]]).toEqual([1, args[0]]);
    expect(err).toMatch(said);
    expect(err).not.toMatch(/^ {4}at /m);
  }
});
