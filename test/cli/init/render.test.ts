import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { render, type Setup } from '../../../src/cli/init/render.ts';
import type { PlannedServer } from '../../../src/cli/init/plan.ts';
import { parseConfig } from '../../harness/parse-config.ts';

const server: PlannedServer = {
  name: 'North',
  isNamed: true,
  host: '127.0.0.1',
  port: 2302,
  queryPort: 27016,
  place: null,
  keyFile: null,
  logs: '/srv/dayz/profiles',
  playersDb: '/srv/dayz/mpmissions/dayzOffline.enoch/storage_1/players.db',
  messagesFile: '/srv/dayz/mpmissions/dayzOffline.enoch/db/messages.xml',
  banFiles: [{ file: '/srv/dayz/ban.txt', format: 'dayz' }],
};
const guild = { id: '1100000000000000100', name: 'North\n- evil: true' };
const channel = { id: '1100000000000000200', name: 'status # : {}', guild, missing: [] };
const bot = { guilds: [guild], application: { id: '1', name: 'Bot', inviteUrl: '' } };
const posts: Setup['posts'] = [{ kind: 'status', channel }];
const planOf = (change: Partial<PlannedServer> = {}, rest: Partial<Setup> = {}): Setup => ({
  name: null,
  servers: [{ ...server, ...change }],
  timezone: { name: 'Europe/Berlin', isGuess: false },
  bot,
  posts,
  httpPort: 8080,
  hasPage: false,
  ...rest,
});
const write = (plan: Setup, known: Record<string, string> = {}) =>
  render(plan, { hasSchema: true, mayUse: (name, secret) => (known[name] ?? secret) === secret });
const read = (plan: Setup) => {
  const { text, secrets } = write(plan);
  return parseConfig(text, 'outpost.yaml', null, (name) => secrets.get(name));
};

describe('the config of a setup', () => {
  it.each([
    '[EU] North: #1 | Chernarus',
    'C:\\new\\test',
    '"quoted" and \'single\'',
    '# comment?',
    'yes',
    'null',
    '0x1F',
    '2026-11-22',
    '- list',
    '{ map: true }',
    '*alias &anchor !tag',
    '@at `tick` %percent',
    'ends with colon:',
    'a: b',
    '| literal',
    '> folded',
    '--- ',
    '...',
    'Привет 🧟 Café',
    'a\\nb',
    '=',
    '~',
  ])('holds the name %s unchanged', (name) => {
    expect(read(planOf({ name })).projects[0]?.servers[0]?.name).toBe(name.trim());
    expect(read(planOf({}, { name })).projects[0]?.name).toBe(name.trim());
  });

  it.each(['a\nb: c', 'a\0b', 'x'.repeat(500), '🧟'.repeat(80), '   ', '\u2028 line'])(
    'is valid with the name %j',
    (name) => {
      expect(read(planOf({ name }, { name })).projects[0]?.servers).toHaveLength(1);
    },
  );

  it.each(['C:\\DayZ Server\\profiles', "C:\\it's #1\\new\\test", '/srv/a: b/#c', '\\\\share\\dayz\\p'])(
    'holds the path %s unchanged',
    (logs) => {
      expect(read(planOf({ logs })).projects[0]?.servers[0]?.logs).toBe(logs);
    },
  );

  it('says in comments what its keys are for', () => {
    const { text } = write(planOf());
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.\/outpost\.schema\.json\n/);
    expect(text).toContain('# of the machine that writes the logs');
    expect(text).toContain("- id: '1100000000000000100' # North - evil: true\n");
    expect(text).toContain("- channelId: '1100000000000000200' # #status # : {}\n");
    expect(parse(text)).toMatchObject({ discord: { guilds: [{ id: '1100000000000000100' }] } });
    expect(text.split('\n').length).toBeLessThan(60);
  });

  it('names the servers of each post anew, without an alias of YAML', () => {
    const kinds = ['status', 'leaderboard', 'recap', 'kill-feed'] as const;
    const plan = planOf({}, { posts: kinds.map((kind) => ({ kind, channel })) });
    expect(write(plan).text).not.toMatch(/[&*]a1/);
    expect(read(plan).discord?.killFeeds).toMatchObject([
      { channelId: channel.id, servers: ['north-evil-true-1'] },
    ]);
  });

  it('never holds a secret', () => {
    const sftp = { type: 'sftp' as const, host: 'h', port: 22, username: 'u', password: 'hunter2' };
    const nitrado = { type: 'nitrado' as const, serviceId: '15987256', token: 'hunter3' };
    const plan = planOf(
      { place: sftp },
      {
        servers: [
          { ...server, place: sftp },
          { ...server, place: nitrado, logs: 'config' },
        ],
      },
    );
    const { text, secrets } = write(plan);
    expect(text).not.toMatch(/hunter|token'/);
    expect([...secrets]).toEqual([
      ['NORTH_EVIL_TRUE_1_SFTP_PASSWORD', 'hunter2'],
      ['NORTH_EVIL_TRUE_2_NITRADO_TOKEN', 'hunter3'],
    ]);
    const [one, two] = read(plan).projects[0]?.servers ?? [];
    expect(one?.files).toMatchObject({ type: 'sftp', password: 'hunter2' });
    expect(two?.files).toMatchObject({ type: 'nitrado', serviceId: '15987256', token: 'hunter3' });
    expect(two?.logs).toBe('config');
    expect(read(plan).projects[0]?.banlists[0]?.sources).toMatchObject([
      { filesOf: one?.id, servers: [one?.id] },
      { filesOf: two?.id, servers: [two?.id] },
    ]);
  });

  it('takes another variable where one is set to something else', () => {
    const place = { type: 'ftps' as const, host: 'h', port: 21, username: 'u', password: 'new' };
    const plan = planOf({ place }, { name: '1 North' });
    expect([...write(plan, { _1_NORTH_1_FTPS_PASSWORD: 'old' }).secrets.keys()]).toEqual([
      '_1_NORTH_1_FTPS_PASSWORD_2',
    ]);
    expect([...write(plan, { _1_NORTH_1_FTPS_PASSWORD: 'new' }).secrets.keys()]).toEqual([
      '_1_NORTH_1_FTPS_PASSWORD',
    ]);
  });

  it('names a private key by its file', () => {
    const place = { type: 'sftp' as const, host: 'h', port: 22, username: 'u', privateKey: 'KEY' };
    const { text } = write(planOf({ place, keyFile: '/home/kim/.ssh/id' }));
    expect(parse(text).projects[0].servers[0].files.privateKey).toEqual({ file: '/home/kim/.ssh/id' });
    expect(text).not.toContain('KEY');
  });

  it.each([
    ['nothing at all', planOf({}, { servers: [], bot: null, posts: [] })],
    ['no game server', planOf({}, { servers: [], posts: [] })],
    ['no Discord', planOf({}, { bot: null, posts: [] })],
    ['a bot in no guild', planOf({}, { bot: { ...bot, guilds: [] }, posts: [] })],
    ['another port', planOf({}, { httpPort: 8081 })],
    ['another port and a page', planOf({}, { httpPort: 8081, hasPage: true })],
    ['a name without Latin letters', planOf({ name: 'Привет' }, { name: 'Привет' })],
    ['several servers', planOf({}, { servers: [server, { ...server, logs: null, playersDb: null }] })],
  ])('is valid with %s', (_, plan) => {
    const config = read(plan);
    expect(config.http.port).toBe(plan.httpPort);
    expect(config.projects[0]?.servers).toHaveLength(plan.servers.length);
    expect(config.discord === undefined).toBe(plan.bot === null);
  });
});
