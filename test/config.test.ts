import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { ConfigError, parseConfig, readConfig, readEnvironment, type ConfigMistake } from '../src/config.ts';

function mistakesOf(text: string): readonly ConfigMistake[] {
  try {
    parseConfig(text, 'outpost.yaml');
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
  return [];
}

const minimal = 'projects: [{ slug: a, name: A, servers: [{ id: s, name: S, host: h, port: 2302 }] }]';

it('fills in what a short config leaves out', () => {
  const config = parseConfig(minimal, 'outpost.yaml');
  expect(config.http).toEqual({ host: '127.0.0.1', port: 8080, trustProxy: [], cors: { origins: [] } });
  expect(config.projects[0]).toMatchObject({ plan: 'PRO', suspended: false, banlists: [] });
  expect(config.projects[0]?.servers[0]).toMatchObject({ game: 'dayz', timezone: 'UTC', active: true });
});

it('names every mistake in one go: line, key and what was expected', () => {
  const text = `http: { port: abc }
projects:
  - slug: a
    name: A
    plam: PRO
    servers:
      - { id: s, name: S, host: h, port: 2302, timezone: Mars/North }
discord: { project: b }
`;
  expect(mistakesOf(text)).toEqual([
    { line: 1, key: 'http.port', message: 'expected number, got "abc"' },
    { line: 5, key: 'projects[0].plam', message: 'unknown key' },
    {
      line: 7,
      key: 'projects[0].servers[0].timezone',
      message: 'expected an IANA time zone such as Europe/Berlin or UTC, got "Mars/North"',
    },
    { line: 8, key: 'discord.project', message: 'expected the slug of a project, got "b"' },
  ]);
});

it.each([
  ['a port out of range', minimal.replace('2302', '70000'), /port from 1 to 65535/],
  ['an unknown game', minimal.replace('host: h', 'host: h, game: dayzz'), /GameDig game type/],
  [
    'two servers with the same logs',
    minimal.replace(
      /\{ id: s(.*?)\}/,
      '{ id: s$1, logs: ./profiles }, { id: s2$1, logs: profiles/ }, { id: s3$1, logs: profiles, active: false }',
    ),
    /path of its own: server "s" has the same/,
  ],
  ['a server id used twice', minimal.replace(/(\{ id: s.*?\})/, '$1, $1'), /is taken/],
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
    'a weekly schedule without days',
    minimal.replace(
      'port: 2302',
      'port: 2302, schedules: [{ kind: WIPE, title: W, recurrence: WEEKLY, timeOfDay: "04:00" }]',
    ),
    /list of days/,
  ],
  ['broken YAML', 'projects: [', /not readable as YAML/],
  ['an empty file', '', /missing/],
])('refuses %s', (_name, text, message) => {
  const mistakes = mistakesOf(text);
  expect(mistakes).toHaveLength(1);
  expect(mistakes[0]?.message).toMatch(message);
});

it('names what a schedule lacks together with what is wrong in it', () => {
  const schedule = 'schedules: [{ kind: RESTRAT, title: R, recurrence: INTERVAL }]';
  const mistakes = mistakesOf(minimal.replace('port: 2302', `port: 2302, ${schedule}`));
  expect(mistakes.map(({ key }) => key.replace(/^.*\./, ''))).toEqual(['kind', 'intervalMinutes']);
});

it('says where to begin when there is no config', () => {
  const read = (): unknown => readConfig(join(tmpdir(), 'no-such-folder', 'outpost.yaml'));
  expect(read).toThrow(/outpost\.example\.yaml/);
  expect(read).toThrow(/npm run demo/);
});

it("takes relative paths from the config file's own folder", () => {
  const folder = mkdtempSync(join(tmpdir(), 'outpost-config-'));
  const file = join(folder, 'outpost.yaml');
  writeFileSync(file, minimal.replace('host: h', 'host: h, logs: profiles'));
  expect(readConfig(file).projects[0]?.servers[0]?.logs).toBe(resolve(folder, 'profiles'));
  rmSync(folder, { recursive: true });
});

it('reads the environment, blank variables as absent, and never repeats a value in an error', () => {
  expect(readEnvironment({ DISCORD_TOKEN: '', LOG_LEVEL: 'debug' })).toMatchObject({
    configFile: 'config/outpost.yaml',
    discordToken: null,
    logLevel: 'debug',
    remoteService: null,
  });
  expect(() => readEnvironment({ OUTPOST_SECRET: 'ops_hush' })).toThrow(/belong together/);
  expect(() => readEnvironment({ LOG_LEVEL: 'loud-secret' })).toThrow(ConfigError);
  expect(() => readEnvironment({ LOG_LEVEL: 'loud-secret' })).not.toThrow(/loud-secret/);
});
