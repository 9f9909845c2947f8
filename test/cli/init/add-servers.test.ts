import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InitOptions } from '../../../src/cli/init/options.ts';
import type { Report } from '../../../src/cli/init/report.ts';
import { runSetup } from '../../../src/cli/init/run-setup.ts';
import { parseEnvironment } from '../../../src/config/environment.ts';
import { parseConfig, parseProjectFile } from '../../../src/config/parse.ts';
import { startSimulatedGameServer, type SimulatedGameServer } from '../../../src/demo/game-server.ts';
import { openWriter, storeFile } from '../../../src/server/store/engine/database.ts';
import { addMissing } from '../../../src/server/store/repositories/projects/reconcile.ts';
import { startNitrado } from '../../harness/nitrado.ts';
import { startSftp } from '../../harness/sftp.ts';

const own = `# Our servers; ask Kim before a change.
http: { port: 8123 }

projects:
  - slug: north   # the short name
    name: 'Northwood'
    servers:
      - id: north-1
        name: Chernarus   # since 2024
        host: play.example.org
        port: 2302
        timezone: Europe/Berlin

    banlists:
      - id: north-bans
        name: Bans
        sources: [{ file: /srv/bans.txt, format: battleye }]

# the bot
discord:
  guilds: [{ id: '1100000000000000100' }]
`;

let home: string;
let game: SimulatedGameServer;
beforeEach(async () => {
  game = await startSimulatedGameServer({ name: 'x', map: 'enoch', maxPlayers: 60, players: 1 });
  // The folders beside it are searched, too, and those of other tests may hold game servers.
  home = join(await mkdtemp(join(tmpdir(), 'outpost-add-')), 'owner');
  await mkdir(home);
});
afterEach(async () => {
  await game.close();
  await rm(dirname(home), { recursive: true, force: true });
});

async function put(name: string, content = ''): Promise<string> {
  const file = join(home, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  return file;
}
const putServer = async (folder: string, name: string): Promise<void> => {
  await put(
    `${folder}/serverDZ.cfg`,
    `hostname = "${name}";\nsteamQueryPort = ${game.port};\ninstanceId = 1;\n`,
  );
  await put(`${folder}/profiles/DayZServer_x64.ADM`);
  await put(`${folder}/ban.txt`);
};

const configFile = (): string => join(home, 'outpost.yaml');
const written = async (): Promise<string> => await readFile(configFile(), 'utf8');

const inTest = { games: null, secrets: { variable: () => undefined, file: () => '' } };

async function add(
  options: Partial<InitOptions> = {},
  variables: Record<string, string> = {},
): Promise<Report> {
  const printed: string[] = [];
  await runSetup(
    { server: true, discord: true, add: true, yes: true, json: true, timezone: 'UTC', ...options },
    {
      environment: parseEnvironment({ ...variables, OUTPOST_CONFIG: configFile() }),
      envFile: join(home, '.env'),
      variable: (name) => variables[name],
      machine: { platform: 'linux', home, current: home, variables: {} },
      output: { out: (text) => printed.push(text), err: () => undefined },
      terminal: null,
      watchMs: 0,
    },
  );
  return JSON.parse(printed.join('')) as Report;
}

describe('outpost init --add', () => {
  it('adds a server and its bans, and leaves every other line as it is', async () => {
    await put('outpost.yaml', own);
    await putServer('dayz', 'Livonia');
    const report = await add({ serverConfig: [join(home, 'dayz')] });
    const text = await written();
    const without = (id: string, from: string): string =>
      from.replace(new RegExp(` {6}- id: ${id}\\n(?: {8}.*\\n)+`), '');
    expect(without('north-2-bans', without('north-2', text))).toBe(own);
    const [project] = parseConfig(text, 'outpost.yaml').projects;
    expect(project?.servers).toMatchObject([
      { id: 'north-1' },
      { id: 'north-2', name: 'Livonia', port: 2302 },
    ]);
    expect(project?.banlists[1]).toMatchObject({ id: 'north-2-bans', servers: ['north-2'] });
    expect(report).toMatchObject({ servers: [{ id: 'north-2' }], env: [], discord: null });
    expect(report.missing.join('\n')).toContain('The ban list north-bans now counts for north-2, too');
    expect(report.missing.join('\n')).toContain('/outpost setup');
  });

  it('gives no server the id, and so the history, of one that left the config', async () => {
    await put('outpost.yaml', own);
    await putServer('dayz', 'Livonia');
    const data = join(home, 'data');
    await mkdir(data);
    const { db, close } = await openWriter(storeFile(data), { busyTimeoutMs: 5_000 });
    await addMissing(db, parseConfig(own, 'outpost.yaml'));
    const { project_id } = await db.selectFrom('server').select('project_id').executeTakeFirstOrThrow();
    const address = { host: '203.0.113.7', port: 2302, timezone: 'UTC' };
    const left = {
      id: 'north-2',
      project_id,
      position: 1,
      name: 'North 2',
      game: 'dayz',
      ...address,
      active: 0,
    };
    await db.insertInto('server').values(left).execute();
    await close();
    const report = await add({ serverConfig: [join(home, 'dayz')] }, { OUTPOST_DATA: data });
    expect(report).toMatchObject({ servers: [{ id: 'north-3' }] });
  });

  it('puts the password of another host into .env, beside what is there', async () => {
    await put('outpost.yaml', own);
    await put('.env', 'DISCORD_TOKEN=abc\n');
    await putServer('host', 'Rented');
    await using sftp = await startSftp({ root: join(home, 'host'), username: 'kim', password: 'p#1' });
    const sftpPasswordFile = await put('password.txt', 'p#1\n');
    const report = await add({ sftp: `kim@127.0.0.1:${sftp.port}`, sftpPasswordFile });
    expect(report.env).toEqual(['NORTH_2_SFTP_PASSWORD']);
    expect(report.next).toBe('restart Outpost');
    expect(parseEnv(await readFile(join(home, '.env'), 'utf8'))).toEqual({
      DISCORD_TOKEN: 'abc',
      NORTH_2_SFTP_PASSWORD: 'p#1',
    });
    expect(await written()).toContain('password: { env: NORTH_2_SFTP_PASSWORD }');
    expect(await written()).toContain('filesOf: north-2');
  });

  it('adds the servers that it finds and the config does not have', async () => {
    await putServer('dayz/one', 'One');
    await putServer('dayz/two', 'Two');
    await put(
      'outpost.yaml',
      `projects:\n  - slug: a\n    name: A\n    servers:\n      - { id: a-2, name: One, host: h, port: 2302, logs: ${join(home, 'dayz/one/profiles')} }\n`,
    );
    const report = await add();
    expect(report.servers).toMatchObject([{ id: 'a-1', name: 'Two' }]);
    await expect(add()).rejects.toThrow('No other game server was found, so nothing was changed.');
  });

  it('knows servers by relative paths, and those in the files of projects', async () => {
    await putServer('dayz/one', 'One');
    await putServer('dayz/two', 'Two');
    await put(
      'outpost.yaml',
      'projects:\n  - slug: a\n    name: A\n    servers:\n      - { id: a-1, name: One, host: h, port: 2302, logs: dayz/one/profiles }\n',
    );
    await put(
      'projects/b.yaml',
      'slug: b\nname: B\nservers:\n  - { id: b-1, name: Two, host: h, port: 2302, logs: ../dayz/two/profiles }\n',
    );
    await expect(add()).rejects.toThrow('No other game server was found, so nothing was changed.');
  });

  it('leaves out the servers at Nitrado that the config has', async () => {
    await put('console/config/DayZServer_X1_x64_2026-11-22_10-00-00.ADM', '10:00:00 | x\n');
    const { port } = game;
    await using nitrado = await startNitrado({
      root: join(home, 'console'),
      address: { ip: '127.0.0.1', port: 2302, query_port: port },
    });
    const nitradoTokenFile = await put('token.txt', nitrado.token);
    const known = `{ id: a-1, name: PS, host: h, port: 2302, files: { type: nitrado, serviceId: 4, token: { file: ${nitradoTokenFile} } } }`;
    await put('outpost.yaml', `projects:\n  - slug: a\n    name: A\n    servers:\n      - ${known}\n`);
    const variables = { NITRADO_API_URL: nitrado.url };
    const report = await add({ nitradoTokenFile }, variables);
    expect(report.servers).toMatchObject([{ id: 'a-2', name: 'Northwood Xbox' }]);
    await expect(add({ nitradoTokenFile }, variables)).rejects.toThrow(
      'The config has every DayZ server of this account already.',
    );
  });

  it('adds to the project that is named', async () => {
    const projects = 'projects:\n  - slug: a\n    name: A\n  - slug: b\n    name: B\n';
    await put('outpost.yaml', projects);
    await expect(add({ address: '127.0.0.1:2302' })).rejects.toThrow(
      /--project: expected one of the projects in .*outpost.yaml: a, b/,
    );
    const south = 'slug: c # ours\nname: C\nguilds: [{ id: "1100000000000000100" }]\n';
    const file = await put('projects/south.yaml', south);
    const report = await add({ address: '127.0.0.1:2302', name: 'South', project: 'c' });
    expect(report).toMatchObject({ config: file, servers: [{ id: 'c-1' }] });
    expect(report.missing.join('\n')).toContain('If South runs another game than DayZ, add "game" to it');
    const text = await readFile(file, 'utf8');
    expect(text.startsWith(south)).toBe(true);
    expect(parseProjectFile(text, file, inTest).value.servers).toMatchObject([{ id: 'c-1', name: 'South' }]);
    expect(await written()).toBe(projects);
    await add({ address: '127.0.0.1:2302', name: 'Far', project: 'b' });
    const [a, b] = parseConfig(await written(), 'outpost.yaml').projects;
    expect([a?.servers, b?.servers]).toMatchObject([[], [{ id: 'b-1', name: 'Far' }]]);
  });

  it('changes nothing where there is no config, or one with mistakes, or the same logs', async () => {
    await expect(add({ address: '127.0.0.1' })).rejects.toThrow('Run "outpost init" without --add');
    await mkdir(configFile());
    await expect(add({ address: '127.0.0.1' })).rejects.toThrow('it is a folder, and a file was expected');
    await rm(configFile(), { recursive: true });
    await put('outpost.yaml', 'projects: [{ slug: a }]\n');
    await expect(add({ address: '127.0.0.1' })).rejects.toThrow(/name: expected a text/);
    await put('outpost.yaml', own);
    await putServer('dayz', 'Livonia');
    await add({ serverConfig: [join(home, 'dayz')] });
    const before = await written();
    await expect(add({ serverConfig: [join(home, 'dayz')] })).rejects.toThrow(
      'Livonia is in the config already, as north-2, so nothing was changed.',
    );
    expect(await written()).toBe(before);
  });

  it('adds those of the servers it is given that the config does not have, also at another host', async () => {
    await putServer('host', 'Rented');
    await putServer('dayz/one', 'One');
    await putServer('dayz/two', 'Two');
    await put('outpost.yaml', own);
    await using sftp = await startSftp({ root: join(home, 'host'), username: 'kim', password: 'pw' });
    const host = {
      sftp: `kim@127.0.0.1:${sftp.port}`,
      sftpPasswordFile: await put('password.txt', 'pw\n'),
    };
    await add(host);
    await expect(add(host)).rejects.toThrow('Rented is in the config already, as north-2');
    await add({ serverConfig: [join(home, 'dayz/one')] });
    const report = await add({ serverConfig: [join(home, 'dayz')] });
    expect(report.servers).toMatchObject([{ id: 'north-4', name: 'Two' }]);
  });

  it.skipIf(process.platform === 'win32')('keeps the rights of the config, and a link to it', async () => {
    const file = await put('elsewhere/mine.yaml', own);
    await rm(configFile(), { force: true });
    await symlink(file, configFile());
    const { mode } = await stat(file);
    await add({ address: '127.0.0.1:2302' });
    expect(await readFile(file, 'utf8')).toContain('north-2');
    expect((await stat(file)).mode).toBe(mode);
  });
});
