import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { withConfiguredStore } from '../../../src/cli/open-store.ts';
import { readConfig } from '../../../src/config/load.ts';
import { startSimulatedGameServer } from '../../../src/demo/game-server.ts';
import { activeSources } from '../../../src/server/ingest/follower/sources.ts';
import { outpost } from '../../harness/command-line.ts';
import { createSourceWatch } from '../../harness/logs.ts';

const samples = fileURLToPath(new URL('../../../packages/dayz-files/test/samples/', import.meta.url));

/** A folder with the files of a DayZ server and a config that names them. */
function place(changes: Record<string, string> = {}, queryPort = 1) {
  const folder = mkdtempSync(join(tmpdir(), 'outpost-check-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const copies = {
    'logs/DayZServer_x64.ADM': 'server-b/Logs_after_restart__DayZServer_x64.ADM',
    'logs/serverconsole.log': 'server-b/serverconsole.log',
    'mission/storage_1/players.db': 'server-c/players.db',
    'mission/db/messages.xml': 'messages/shutdown.xml',
    'bans.txt': 'bans/battleye-dayz.txt',
  };
  for (const [to, from] of Object.entries(copies)) {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    copyFileSync(join(samples, from), join(folder, to));
  }
  for (const [name, content] of Object.entries(changes)) writeFileSync(join(folder, name), content);
  const file = join(folder, 'outpost.yaml');
  writeFileSync(
    file,
    `projects:
  - slug: p
    name: P
    servers:
      - id: s
        name: S
        host: 127.0.0.1
        port: 2302
        queryPort: ${queryPort}
        logs: logs
        playersDb: mission/storage_1/players.db
        schedules: [{ source: messages.xml }]
      - { id: off, name: Off, host: 127.0.0.1, port: 1, logs: nowhere, active: false }
    banlists: [{ id: b, name: B, sources: [{ file: bans.txt, format: battleye }] }]
`,
  );
  return { folder, file };
}

const check = (...args: string[]) => outpost('check-config', ...args);

test('counts apart the bans of a file that have ended', async () => {
  const guid = (digit: string): string => digit.repeat(32);
  const { file } = place({ 'bans.txt': `${guid('a')} -1 cheating\n${guid('b')} 1600000000 toxic\n` });
  const { out } = await check(file);
  expect(out).toMatch(/✓ b\.sources\[0\] .*bans\.txt: 2 bans, .*; of the bans, 1 ended/);
});

test('finds everything on this machine that a config names, and what is in it', async () => {
  const { file } = place();
  const { code, out } = await check(file);
  expect(out).toMatch(/✓ s\.logs .*: 1 admin log, 1 log with SteamID64s .* started on 2021-04-\d\d \d\d:/);
  expect(out).toMatch(/✓ s\.playersDb .*players\.db: \d+ characters/);
  expect(out).toMatch(/✓ s\.schedules\[0\] .*messages\.xml: restarts the server 240 minutes after its start/);
  expect(out).toMatch(/✓ b\.sources\[0\] .*bans\.txt: 1 ban, 1 of IP addresses/);
  expect(out).not.toContain('nowhere');
  // The game server is not asked.
  expect(out).not.toContain('queryPort');
  expect(code).toBe(0);
});

test('is what the doctor checks offline', async () => {
  const { folder, file } = place();
  vi.stubEnv('OUTPOST_CONFIG', file);
  vi.stubEnv('OUTPOST_DATA', join(folder, 'data'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const checked = await outpost('check-config');
  expect(await outpost('doctor', '--offline')).toEqual(checked);
  expect(await outpost('check-config', '--offline')).toEqual(checked);
});

test('the doctor says where players join, if that is another port than in the config', async () => {
  const game = await startSimulatedGameServer({
    name: 'N',
    map: 'chernarusplus',
    players: 3,
    maxPlayers: 60,
    gamePort: 2402,
  });
  onTestFinished(() => game.close());
  const { folder, file } = place({}, game.port);
  vi.stubEnv('OUTPOST_CONFIG', file);
  vi.stubEnv('OUTPOST_DATA', join(folder, 'data'));
  onTestFinished(() => void vi.unstubAllEnvs());
  expect((await outpost('doctor')).out).toMatch(
    /✓ s\.queryPort .*: answers: 3 of 60 players, map chernarusplus\n +→ the game says that players join at port 2402: .*port: 2402/,
  );
});

test('a server whose files are counted under another id is a mistake, as at the start', async () => {
  const { folder, file } = place();
  vi.stubEnv('OUTPOST_CONFIG', file);
  vi.stubEnv('OUTPOST_DATA', join(folder, 'data'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const config = readConfig(file);
  await withConfiguredStore(async (db) => {
    await createSourceWatch(db).importChanged(activeSources(config));
  });
  expect((await check()).out).not.toContain('double');
  writeFileSync(file, readFileSync(file, 'utf8').replace('- id: s\n', '- id: new\n'));
  const { code, out } = await check();
  expect(out).toMatch(
    /✗ new {2}the store: .* already counted for the server "s": .* double\n.*"formerly: s"/,
  );
  expect(code).toBe(1);
});

test('a log that came with the copy of another server and counts for both is a mistake', async () => {
  const { folder, file } = place();
  vi.stubEnv('OUTPOST_CONFIG', file);
  vi.stubEnv('OUTPOST_DATA', join(folder, 'data'));
  onTestFinished(() => void vi.unstubAllEnvs());
  cpSync(join(folder, 'logs'), join(folder, 'copy'), { recursive: true });
  const copied = '- { id: copied, name: Copied, host: 127.0.0.1, port: 3, logs: copy }\n      - { id: off';
  writeFileSync(file, readFileSync(file, 'utf8').replace('- { id: off', copied));
  await withConfiguredStore(async (db) => {
    const watch = createSourceWatch(db);
    const { files, banlists } = activeSources(readConfig(file));
    await watch.importChanged({ files: files.filter(({ id }) => id !== 'copied'), banlists });
    expect((await check()).out).not.toContain('counted here, too');
    await watch.importChanged({ files, banlists });
  });
  const { code, out } = await check();
  expect(out).toMatch(
    /✗ copied\.logs {2}the store: 1 run of the server "s" is counted here, too\n.*"outpost server forget copied"/,
  );
  expect(code).toBe(1);
});

test("a project's changed slug is a mistake, as at the start", async () => {
  const { folder, file } = place();
  vi.stubEnv('OUTPOST_CONFIG', file);
  vi.stubEnv('OUTPOST_DATA', join(folder, 'data'));
  onTestFinished(() => void vi.unstubAllEnvs());
  await withConfiguredStore(async () => {});
  const { slug } = readConfig(file).projects[0]!;
  writeFileSync(file, readFileSync(file, 'utf8').replace(`slug: ${slug}\n`, 'slug: other\n'));
  const { code, out } = await check();
  expect(out).toContain(
    `✗ s  the store: the server id "s" belongs to another project, ${slug}, with its history`,
  );
  expect(code).toBe(1);
});

test('names the line of messages.xml with a bare &, and how it is written', async () => {
  const { file } = place({
    'mission/db/messages.xml':
      '<messages>\n<message><repeat>15</repeat><text>PvP & PvE welcome</text></message>\n</messages>',
  });
  const { code, out } = await check(file);
  expect(out).toMatch(
    /✗ s\.schedules\[0\] .* in line 2; write &amp; for an & in a text\n +→ correct the file, or the path/,
  );
  expect(out).not.toContain('names the right file');
  expect(code).toBe(1);
});

test('ends with 1 where something cannot work, each with what to do', async () => {
  const { folder, file } = place({
    'bans.txt': 'hello\n',
    'mission/db/messages.xml': '<messages>',
    'mission/storage_1/players.db': 'no database',
  });
  rmSync(join(folder, 'logs'), { recursive: true });
  const { code, out } = await check(file);
  expect(out).toMatch(/✗ s\.logs .*logs: no such file\n +→ check the path/);
  expect(out).toMatch(/✗ s\.playersDb .*: is not a readable players\.db/);
  expect(out).toMatch(/✗ s\.schedules\[0\] .*: is not XML: .* in line 1/);
  expect(out).toMatch(/✗ b\.sources\[0\] .*: is not a ban file of the format "battleye"/);
  expect(out).toMatch(/\n4 problems, (?:\d+ warnings?, )?\d+ fine\.$/);
  expect(out).not.toContain('queryPort');
  expect(code).toBe(1);
});

test('a folder without logs, and one without identities, say what is missing', async () => {
  const { folder, file } = place();
  rmSync(join(folder, 'logs', 'serverconsole.log'));
  expect(await check(file)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/! s\.logs .*\n +→ keep the \.RPT files/),
  });
  rmSync(join(folder, 'logs', 'DayZServer_x64.ADM'));
  expect(await check(file)).toMatchObject({
    code: 1,
    out: expect.stringMatching(
      /✗ s\.logs .*: no \.ADM file in this folder\n +→ start the game server with -adminlog/,
    ),
  });
});

test('a log without a header, and files of a game that Outpost cannot read, say so', async () => {
  const { file } = place({ 'logs/DayZServer_x64.ADM': 'hello\n' });
  expect((await check(file)).out).toMatch(/! s\.logs .*DayZServer_x64\.ADM is not a DayZ admin log: /);
  writeFileSync(file, readFileSync(file, 'utf8').replace('port: 2302', 'port: 2302\n        game: rust'));
  const { code, out } = await check(file);
  expect(out).toMatch(/✗ s\.logs .*cannot read the logs of the game "rust".*\n +→ leave logs out/);
  expect(out).toMatch(/✗ s\.playersDb .*reads no characters of the game "rust"\n +→ leave playersDb out/);
  expect(out).toMatch(
    /✗ s\.schedules\[0\] .*reads no restarts of the game "rust"\n +→ write the schedule into/,
  );
  expect(code).toBe(1);
});

test('as JSON it is one document, also when something is wrong', async () => {
  const { file } = place({ 'bans.txt': 'hello\n' });
  const { code, out, err } = await check(file, '--json');
  expect(code).toBe(1);
  expect(err).toBe('');
  const { ok, findings } = JSON.parse(out) as { ok: boolean; findings: { key: string; status: string }[] };
  expect(ok).toBe(false);
  expect(findings.filter(({ key }) => /^[sb]\./.test(key)).map(({ key, status }) => [key, status])).toEqual([
    ['s.logs', 'good'],
    ['s.playersDb', 'good'],
    ['s.schedules[0]', 'good'],
    ['b.sources[0]', 'wrong'],
  ]);
});

test('says how to keep what is not public in the own Discord server', async () => {
  const { file } = place();
  const config = readFileSync(file, 'utf8');
  const checked = async (discord: string) => {
    writeFileSync(file, `${config}discord: ${discord}\n`);
    return await check(file);
  };
  const unnamed = await checked('{}');
  expect(unnamed.out).toMatch(/! discord\.guilds .*: none is named/);
  expect(unnamed.out).toContain('Bot > Public Bot off');
  const feed = '{ channelId: "123456789012345678", servers: [s], positions: true }';
  const named = await checked(`{ guilds: [{ id: "123456789012345678" }], killFeeds: [${feed}] }`);
  expect(named.out).toContain('your Discord servers: 1 named');
  expect(named.out).toMatch(/! discord\.killFeeds\[0\] .*is to show positions/);
});

test('says that the clock of the game’s machine is not in the configured zone, and what to do', async () => {
  const { folder, file } = place({
    'logs/DayZServer_x64_2025-03-30_00-07-22.ADM':
      'AdminLog started on 2025-03-30 at 00:07:22\n02:20:16 | ##### PlayerList log: 1 players\n',
  });
  vi.stubEnv('OUTPOST_CONFIG', file);
  vi.stubEnv('OUTPOST_DATA', join(folder, 'data'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const config = readFileSync(file, 'utf8');
  writeFileSync(file, config.replace('queryPort', 'timezone: Europe/Berlin\n        queryPort'));
  await withConfiguredStore(async (db) => {
    await createSourceWatch(db).importChanged(activeSources(readConfig(file)));
  });
  const { out } = await check();
  expect(out).toMatch(
    /! s {2}.*logs: the log that started on 2025-03-30 at 00:07:22 shows .* is not in Europe\/Berlin\n.*set timezone to the zone of that clock/,
  );
});

test('takes the secret of a query from a file, and from the config never', async () => {
  const { file } = place();
  const checked = async (query: string) => {
    const server = `{ id: q, name: Q, host: 127.0.0.1, port: 1, game: palworld, query: ${query} }`;
    writeFileSync(file, `projects: [{ slug: p, name: P, servers: [${server}] }]`);
    return await check(file);
  };
  writeFileSync(join(dirname(file), 'secret'), 'hunter2');
  const complete = await checked('{ username: admin, password: { file: secret } }');
  expect(complete.code).toBe(0);
  const open = await checked('{ username: admin, password: hunter2 }');
  expect(open.out).toContain('a secret never stands in this file');
  expect(open.err + open.out).not.toContain('hunter2');
});
