import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConfigError, type ConfigMistake } from '../../src/config/error.ts';
import { parseEnvironment } from '../../src/config/environment.ts';
import { environmentVariable, loadDotEnv, readConfig } from '../../src/config/load.ts';
import { parseConfig } from '../harness/parse-config.ts';
import { isGameType } from '../../src/server/live/game-types.ts';
import { readDotEnv } from '../../src/config/text-file.ts';

function mistakesOf(text: string): readonly ConfigMistake[] {
  try {
    parseConfig(text, 'outpost.yaml', isGameType);
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
  return [];
}

const minimal = 'projects: [{ slug: a, name: A, servers: [{ id: s, name: S, host: h, port: 2302 }] }]';

it('fills in what a short config leaves out', () => {
  const config = parseConfig(minimal, 'outpost.yaml');
  expect(config.http).toEqual({
    host: '127.0.0.1',
    port: 8080,
    trustProxy: [],
    logRequests: false,
    cors: { origins: [] },
  });
  expect(config.projects[0]).toMatchObject({ plan: 'PRO', suspended: false, banlists: [] });
  expect(config.projects[0]).toMatchObject({ killsKept: 90 * 86_400_000, killPositions: false });
  expect(config.projects[0]?.servers[0]).toMatchObject({ game: 'dayz', timezone: 'UTC', active: true });
});

it('names every mistake of the values in one go, then those of the references: line, key and what was expected', () => {
  const text = `http: { port: abc }
projects:
  - slug: a
    name: A
    plam: PRO
    servers:
      - { id: s, name: S, host: h, port: 2302, timezone: Mars/North, formerly: s }
discord: { project: b }
`;
  expect(mistakesOf(text)).toMatchObject([
    { line: 1, key: 'http.port', message: 'expected a port: a whole number from 0 to 65535, got "abc"' },
    {
      line: 5,
      key: 'projects[0].plam',
      message: expect.stringMatching(/^unknown key; expected one of slug, name,/),
    },
    {
      line: 7,
      key: 'projects[0].servers[0].timezone',
      message: 'expected an IANA time zone such as Europe/Berlin or UTC, got "Mars/North"',
    },
  ]);
  const corrected = text
    .replace('abc', '8080')
    .replace(/^ *plam.*\n/m, '')
    .replace('Mars/North', 'UTC');
  expect(mistakesOf(corrected)).toMatchObject([
    {
      line: 6,
      key: 'projects[0].servers[0].formerly',
      message: 'expected a unique server id: "s" is already used in outpost.yaml, line 6',
    },
    { line: 7, key: 'discord.project', message: 'expected the slug of a project, got "b"' },
  ]);
});

it.each([
  ['a time span in another unit', minimal.replace('name: A', 'name: A, killsKept: 90h'), /such as 90d/],
  ['a port out of range', minimal.replace('2302', '70000'), /port from 1 to 65535/],
  ['an unknown game', minimal.replace('host: h', 'host: h, game: dayzz'), /GameDig game type/],
  [
    'two servers with the same logs',
    minimal.replace(
      /\{ id: s(.*?)\}/,
      '{ id: s$1, logs: ./profiles }, { id: s2$1, logs: profiles/ }, { id: s3$1, logs: profiles, active: false }',
    ),
    /unique path: server "s" has the same/,
  ],
  [
    'a path that is too long for the store',
    minimal.replace('port: 2302', `port: 2302, logs: ${'ä'.repeat(751)}`),
    /a path of at most 1500 bytes/,
  ],
  [
    'a host longer than any',
    minimal.replace('host: h', `host: ${'h'.repeat(254)}`),
    /at most 253 characters/,
  ],
  ['a server id used twice', minimal.replace(/(\{ id: s.*?\})/, '$1, $1'), /is already used/],
  [
    'a Discord id that YAML reads as a number',
    `${minimal}\ndiscord: { statusPosts: [{ channelId: 123456789012345678, servers: [s] }] }`,
    /in quotes/,
  ],
  [
    'a cron expression that is none',
    `${minimal}\ndiscord: { statusPosts: [{ channelId: "123456789012345678", cron: often, servers: [s] }] }`,
    /cron expression/,
  ],
  [
    'a status post of a server that is not there',
    `${minimal}\ndiscord: { statusPosts: [{ channelId: "123456789012345678", servers: [x] }] }`,
    /id of a server/,
  ],
  [
    'a public page of a project that is not there',
    `${minimal}\nhttp: { page: { projects: [a, nrthwood] } }`,
    /slug of a project, got "nrthwood"/,
  ],
  [
    'a weekly schedule without days',
    minimal.replace(
      'port: 2302',
      'port: 2302, schedules: [{ kind: WIPE, title: W, recurrence: WEEKLY, timeOfDay: "04:00" }]',
    ),
    /list of days/,
  ],
  [
    'a daily schedule with days, which would be on all days',
    minimal.replace(
      'port: 2302',
      'port: 2302, schedules: [{ kind: EVENT, title: E, recurrence: DAILY, timeOfDay: "20:00", weekdays: [FRI] }]',
    ),
    /expected no days, which only WEEKLY has, since recurrence is DAILY/,
  ],
  ['broken YAML', 'projects: [', /not readable as YAML/],
  ['an empty file', '', /at least one project/],
])('refuses %s', (_name, text, message) => {
  const mistakes = mistakesOf(text);
  expect(mistakes).toHaveLength(1);
  expect(mistakes[0]?.message).toMatch(message);
});

it('says where to begin when there is no config', () => {
  const read = (): unknown => readConfig(join(tmpdir(), 'no-such-folder', 'outpost.yaml'));
  expect(read).toThrow(/outpost\.example\.yaml/);
  expect(read).toThrow(/outpost demo/);
});

it("takes relative paths from the config file's own folder", () => {
  const folder = mkdtempSync(join(tmpdir(), 'outpost-config-'));
  const file = join(folder, 'outpost.yaml');
  writeFileSync(file, minimal.replace('host: h', 'host: h, logs: profiles'));
  expect(readConfig(file).projects[0]?.servers[0]?.logs).toBe(resolve(folder, 'profiles'));
  rmSync(folder, { recursive: true });
});

it('reads the environment, blank variables as absent, and never repeats a secret in an error', () => {
  expect(parseEnvironment({ DISCORD_TOKEN: '', LOG_LEVEL: 'debug' })).toMatchObject({
    configFile: 'config/outpost.yaml',
    discordToken: null,
    logLevel: 'debug',
    remoteService: null,
  });
  expect(() => parseEnvironment({ OUTPOST_SECRET: 'ops_hush' })).toThrow(/belong together/);
  for (const name of ['OUTPOST_STORE_URL', 'DISCORD_API_URL', 'NITRADO_API_URL', 'OUTPOST_API_URL']) {
    expect(() => parseEnvironment({ [name]: 'loud-secret' })).toThrow(ConfigError);
    expect(() => parseEnvironment({ [name]: 'loud-secret' })).not.toThrow(/loud-secret/);
  }
});

it('says that quotes around a variable have to go, and quotes its value unless it may be a secret', () => {
  const said = (variables: Record<string, string>): string => {
    try {
      parseEnvironment(variables);
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };
  expect(said({ OUTPOST_HTTP_PORT: '"18099"', DISCORD_TOKEN: "'hush'", OTHER: '"x"' })).toBe(
    [
      'The environment has a mistake (what is set there counts more than .env):',
      '  OUTPOST_HTTP_PORT: remove the quotes around the value, which "docker --env-file" keeps as a part of it, ' +
        String.raw`got "\"18099\""`,
      '  DISCORD_TOKEN: remove the quotes around the value, which "docker --env-file" keeps as a part of it',
    ].join('\n'),
  );
  // A folder of that name would be made, quotes and all.
  expect(said({ OUTPOST_DATA: '"/srv/outpost"' })).toContain('OUTPOST_DATA: remove the quotes');
  for (const name of ['OUTPOST_SECRET', 'OUTPOST_APPLICATION_ID', 'OUTPOST_STORE_URL'])
    expect(said({ [name]: '"hush"' })).toMatch(new RegExp(`^  ${name}: remove the quotes(?!.*hush)`, 'm'));
});

it('reads from .env what is blank in the environment, as panels leave what nobody filled in', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outpost-env-'));
  const file = join(folder, '.env');
  writeFileSync(file, 'DISCORD_TOKEN=of-file\nNORTHWOOD_PASSWORD=of-file\nLOG_LEVEL=debug\n');
  vi.stubEnv('DISCORD_TOKEN', '');
  vi.stubEnv('NORTHWOOD_PASSWORD', ' ');
  vi.stubEnv('LOG_LEVEL', 'warn');
  try {
    loadDotEnv(file);
    expect(parseEnvironment(process.env)).toMatchObject({ discordToken: 'of-file', logLevel: 'warn' });
    expect(environmentVariable('NORTHWOOD_PASSWORD')).toBe('of-file');
  } finally {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  }
});

it('refuses a path from ~, of which it would make a folder of that name', () => {
  expect(() => parseEnvironment({ OUTPOST_DATA: '~/data' })).toThrow(
    /OUTPOST_DATA: expected a path without ~/,
  );
  expect(() => parseEnvironment({ OUTPOST_CONFIG: '~\\outpost.yaml' })).toThrow(
    /OUTPOST_CONFIG: expected .* ~/,
  );
  const [mistake] = mistakesOf(minimal.replace('host: h', 'host: h, logs: ~/profiles'));
  expect(mistake?.message).toBe(
    'expected a path without ~, which only a shell knows: write the home folder out, such as /home/kim/dayz, got "~/profiles"',
  );
  expect(mistakesOf(minimal.replace('host: h', 'host: h, logs: ~profiles'))).toEqual([]);
});

it('takes blanks around a variable for none of it', () => {
  const variables = {
    OUTPOST_CONFIG: ' ',
    OUTPOST_DATA: '/srv/outpost ',
    LOG_LEVEL: 'debug ',
    DISCORD_TOKEN: '\t',
    OUTPOST_API_URL: 'https://example.org ',
    OUTPOST_APPLICATION_ID: 'app_x ',
    OUTPOST_SECRET: ' ops_x',
  };
  expect(parseEnvironment(variables)).toMatchObject({
    configFile: 'config/outpost.yaml',
    dataFolder: resolve('/srv/outpost'),
    logLevel: 'debug',
    discordToken: null,
    remoteService: { apiUrl: 'https://example.org', applicationId: 'app_x', secret: 'ops_x' },
  });
});

it('listens where the environment says, before the config', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outpost-config-'));
  const file = join(folder, 'outpost.yaml');
  writeFileSync(file, `http: { host: 127.0.0.2, port: 8081 }\n${minimal}`);
  try {
    vi.stubEnv('OUTPOST_HTTP_HOST', '0.0.0.0');
    expect(readConfig(file).http).toMatchObject({ host: '0.0.0.0', port: 8081 });
    vi.stubEnv('OUTPOST_HTTP_PORT', '9090');
    expect(readConfig(file).http.port).toBe(9090);
    vi.stubEnv('OUTPOST_HTTP_HOST', '');
    expect(readConfig(file).http.host).toBe('127.0.0.2');
    expect(readConfig(file).http.metrics).toBeUndefined();
    vi.stubEnv('OUTPOST_METRICS_PORT', '9464');
    expect(readConfig(file).http.metrics).toEqual({ host: '127.0.0.1', port: 9464 });
    writeFileSync(file, `http: { metrics: { host: 127.0.0.3, port: 9463 } }\n${minimal}`);
    expect(readConfig(file).http.metrics).toEqual({ host: '127.0.0.3', port: 9464 });
  } finally {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  }
});

it.each([
  [{ OUTPOST_HTTP_PORT: '80a' }, /OUTPOST_HTTP_PORT: expected a port/],
  [{ OUTPOST_HTTP_PORT: '65536' }, /OUTPOST_HTTP_PORT: expected a port/],
  [{ OUTPOST_METRICS_PORT: 'any' }, /OUTPOST_METRICS_PORT: expected a port/],
  [{ OUTPOST_HTTP_HOST: 'http://0.0.0.0' }, /OUTPOST_HTTP_HOST: expected an address/],
])('says what %j should be', (variables, message) => {
  expect(() => parseEnvironment(variables)).toThrow(message);
});

/** A config of several lines, so that one value or one more line can be tried in it. */
const written = (line = 'name: A', more = ''): string => `projects:
  - slug: a
    ${line}
    servers:
      - id: s
        name: S
        host: h
        port: 2302
${more}`;

it.each([
  ['name: Alpha: best', 3, 'Nested mappings are not allowed in compact mappings, at column 11'],
  ['name: [EU] Alpha', 3, 'Unexpected scalar at node end, at column 16'],
  ['name: "A" server', 3, 'Unexpected scalar at node end, at column 15'],
  ['name: "C:\\DayZ\\Users"', 3, 'Invalid escape sequence, at column 14'],
  ['name: !Alpha', 3, 'Unresolved tag, at column 11'],
  ['name: *Alpha', 3, 'Unresolved alias (the anchor must be set before the alias), at column 11'],
  ['name: A\n    name: B', 4, 'Map keys must be unique, at column 5'],
  ['name: A\n     plan: PRO', 3, 'Nested mappings are not allowed in compact mappings, at column 11'],
])('names line and column where %j is no readable YAML', (text, line, message) => {
  const expected = `not readable as YAML (docs/configuration.md says how to write it): ${message}`;
  expect(mistakesOf(written(text))).toMatchObject([{ line, key: '', message: expected }]);
});

/** Three lines that stand for 729 texts. */
const bomb = ['x', '*a', '*b'].map(
  (of, level) => `${'abc'[level]}: &${'abc'[level]} [${Array(9).fill(of).join()}]\n`,
);

it('refuses aliases that stand for too much', () => {
  const text = `${bomb.join('')}projects: *c\n`;
  expect(mistakesOf(text)).toMatchObject([
    {
      line: 2,
      key: '',
      message: expect.stringContaining(
        'Excessive alias count indicates a resource exhaustion attack, at column 8',
      ),
    },
  ]);
});

it('takes aliases that stand for themselves for what they are: no text', () => {
  expect(mistakesOf('projects: &a\n  - *a\n')).not.toEqual([]);
});

it.each([
  'discord:\n  token: "abc\\def"\n',
  'files: { type: sftp, password: "abc\\def" }\n',
  'discord: { token: *abc }\n',
  'names: [&a 1, *a]\ndiscord: { token: *abc }\n',
  'discord:\n    token: abc\n  wrong\n',
  'discord:\n    token: abc\n  project: a\n',
  'discord:\n  token: >\n    abc\n project: a\n',
])('never repeats what stands in a line that is no readable YAML: %j', (line) => {
  const [mistake] = mistakesOf(written('name: A', line));
  expect(mistake?.message).toContain('not readable as YAML');
  expect(mistake?.message).not.toContain('abc');
});

it.each(['http: postgres://a:loud-secret@b/c', 'discord: MTA.loud-secret.abcdefghijklmnop'])(
  'never repeats a secret in the place of a section: %s',
  (line) => {
    const [mistake] = mistakesOf(written('name: A', line));
    expect(mistake?.message).toMatch(/^expected keys with values(?!.*loud-secret)/);
  },
);

it('never repeats an id of Discord without quotes, which is another one as a number', () => {
  const [mistake] = mistakesOf(written('name: A', 'discord: { guilds: [{ id: 123456789012345678 }] }'));
  expect(mistake?.message).toBe(
    `expected a Discord id in quotes, such as "123456789012345678": put it in 'single quotes'`,
  );
});

it.each([
  [
    written().replace('port:', 'queryport: 1\n        port:'),
    'unknown key; expected one of id, formerly, name,',
  ],
  [written('name: A', 'nonsense: 1'), 'unknown key; expected one of http, live, backup, projects, discord'],
  [written('name: A', 'discord: { token: abc }'), 'Put the line DISCORD_TOKEN=… into .env instead'],
  [
    written('name: A', 'discord: { project: nrthwood }').replace('slug: a', 'slug: northwood'),
    'expected the slug of a project, got "nrthwood"',
  ],
  [written('name: A\n    plan: pro'), 'expected one of "FREE"|"LITE"|"PRO", got "pro"'],
  [written('name: 5'), "expected a text, got 5: put it in 'single quotes'"],
  [written('name:'), 'expected a text, but the value is empty'],
  [written().replace('port: 2302', 'port: "2302"'), 'got "2302": leave out the quotes'],
  [written().replace('host: h', 'host: h\n        active: yes'), 'expected true or false, got "yes"'],
  [written('name: A', 'discord: { guilds: 5 }'), 'expected a list, each entry on a line of its own'],
  [written('name: A', 'discord: on'), 'expected keys with values, on the lines below'],
  [written().replace('host: h', 'host: h\n        game: cs2'), 'expected a GameDig game type such as dayz'],
  [written().replace('host: h', 'host: h\n        game: teeworlds'), 'GAMES_LIST.md'],
  [
    written().replace('host: h', 'host: h\n        timezone: Berlin'),
    'expected an IANA time zone such as Europe/Berlin',
  ],
  [written().replace('host: h', 'host: 1.2.3.4:2302'), 'without a port'],
  [written().replace('host: h', 'host: https://example.org'), 'without http://'],
  [written().replace('host: h', 'host: h\n        logs: "C:\\new\\test"'), "Write it in 'single quotes'"],
])('says what was expected: %j', (text, message) => {
  const mistakes = mistakesOf(text);
  expect(mistakes).toHaveLength(1);
  expect(mistakes[0]?.message).toContain(message);
});

it.each(['10.0.0.1', '::1', 'game.example.org', 'srv_1', 'localhost'])('takes %s for a host', (host) => {
  expect(
    parseConfig(written().replace('host: h', `host: '${host}'`), 'x').projects[0]?.servers[0]?.host,
  ).toBe(host);
});

describe('files that owners make', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'outpost-windows-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const file = (name: string, content: string | Buffer): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };

  it('may begin with a byte order mark', () => {
    expect(readConfig(file('outpost.yaml', `\uFEFF${minimal}`)).projects).toHaveLength(1);
    const { variables } = readDotEnv(file('.env', '\uFEFFDISCORD_TOKEN=abc\r\nLOG_LEVEL=debug\r\n'));
    expect(variables).toEqual({ DISCORD_TOKEN: 'abc', LOG_LEVEL: 'debug' });
  });

  it('are refused with what to do where they are not UTF-8', () => {
    const utf16 = Buffer.from('DISCORD_TOKEN=abc', 'utf16le');
    for (const bytes of [utf16, Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])]) {
      expect(() => readDotEnv(file('.env', bytes))).toThrow(/\.env is UTF-16, .*save it again as UTF-8/);
      expect(() => readConfig(file('outpost.yaml', bytes))).toThrow(/outpost\.yaml is UTF-16/);
    }
    const ansi = Buffer.from(minimal.replace('name: A', 'name: Überleben'), 'latin1');
    expect(() => readConfig(file('outpost.yaml', ansi))).toThrow(/outpost\.yaml is not UTF-8/);
  });

  it('are asked for where Docker has made a folder, since the file to be mounted was missing', () => {
    mkdirSync(join(folder, '.env'));
    expect(() => readDotEnv(join(folder, '.env'))).toThrow(
      /^cannot read .*\.env: it is a folder.*\n.*delete it, create the file/,
    );
    expect(() => readConfig(folder)).toThrow(/it is a folder, and a file was expected\.\nName the file/);
  });

  it('are named where Notepad gave .env an ending', () => {
    file('.env.txt', '');
    expect(readDotEnv(join(folder, '.env')).warnings).toEqual([
      expect.stringMatching(/rename it to .*\.env$/),
    ]);
  });
});

it('reads the variables after lines of .env that are none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'outpost-env-'));
  const path = join(folder, '.env');
  const lines = ['Settings', '-----', '# of ours', 'DISCORD_TOKEN=a', 'hush', '', 'export LOG_LEVEL=info'];
  writeFileSync(path, lines.join('\r\n'));
  const { variables } = readDotEnv(path);
  rmSync(folder, { recursive: true });
  expect(variables).toEqual({ DISCORD_TOKEN: 'a', LOG_LEVEL: 'info' });
});

it('says what is expected where a value is too small, too large or empty', () => {
  const text = `
http: { port: 80800, metrics: { port: -1 } }
projects:
  - slug: a
    name: ${'x'.repeat(200)}
    servers: [{ id: s, name: S, host: '', port: 0, logs: '' }]
`;
  expect(mistakesOf(text).map(({ key, message }) => `${key}: ${message}`)).toEqual([
    'http.port: expected a port: a whole number from 0 to 65535, got 80800',
    'http.metrics.port: expected a port: a whole number from 0 to 65535, got -1',
    expect.stringMatching(/^projects\[0\]\.name: expected a text of at most \d+ characters, got "x/),
    'projects[0].servers[0].host: expected an address or host name, got ""',
    'projects[0].servers[0].port: expected a port from 1 to 65535, got 0',
    'projects[0].servers[0].logs: expected a path, got ""',
  ]);
});
