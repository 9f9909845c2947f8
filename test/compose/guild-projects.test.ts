import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Invocation, type LocalDiscord, startLocalDiscord } from 'local-discord';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dayzIdOf } from '../../src/api/identifiers.ts';
import { writeComponentId } from '../../src/commands/component-id.ts';
import { compose, type Outpost } from '../../src/compose/compose.ts';
import { configSchema, type ConfigInput } from '../../src/config/schema.ts';

const token = 'local-bot-token';
/** Two communities. Every text of one holds its name, so that the other's guild must never show it. */
const communities = {
  alpha: { guildId: '1100000000000000100', players: ['76561198207985320', '76561198690788999'] },
  bravo: { guildId: '1100000000000000200', players: ['76561198017124053', '76561198000000001'] },
} as const;
type Community = keyof typeof communities;
const names = ['alpha', 'bravo'] as const;
const otherOf = (one: Community): Community => (one === 'alpha' ? 'bravo' : 'alpha');
const channelOf = (one: Community, index = 0): string =>
  `${communities[one].guildId.slice(0, -1)}${index + 1}`;
const playerName = (one: Community, index: number): string => `${one}player${index}`;
const manager = (one: Community) => ({
  id: `11000000000000003${one === 'alpha' ? '1' : '2'}1`,
  username: 'owner',
  permissions: (1n << 5n) | (1n << 2n) | (1n << 11n),
});

let folder: string;
let discord: LocalDiscord;
let outpost: Outpost;
let config: ConfigInput;
const lines: string[] = [];

const time = (minutesAgo: number): string => new Date(Date.now() - minutesAgo * 60_000).toISOString();
const clock = (minutesAgo: number): string => time(minutesAgo).slice(11, 19);
const logOf = (one: Community): string => join(folder, one, 'DayZServer_x64.ADM');
const person = (one: Community, index: number, dead = ''): string =>
  `Player "${playerName(one, index)}"${dead} (id=${dayzIdOf(communities[one].players[index] ?? '')} pos=<1.0, 2.0, 3.0>)`;
const kill = (one: Community, minute = 0): string =>
  `${clock(-minute)} | ${person(one, 0, ' (DEAD)')} killed by ${person(one, 1)} with M4A1 from 50.5 meters`;

async function writeLogs(one: Community): Promise<void> {
  await mkdir(join(folder, one));
  await writeFile(logOf(one), `AdminLog started on ${time(1).slice(0, 10)} at ${clock(1)}\n`);
  const at = `${time(1).slice(0, 10).replaceAll('-', '/')} ${clock(1)}`;
  const identities = communities[one].players.map(
    (id, index) => `${clock(1)}.500 Player "${playerName(one, index)}" is connected (steamID=${id})`,
  );
  await writeFile(
    join(folder, one, 'DayZServer_x64_2026-01-01_12-00-00.RPT'),
    [
      'Exe timestamp: 2021/04/28 15:03:34',
      `Current time:  ${at}`,
      'Version 1.12.153891',
      ...identities,
      '',
    ].join('\n'),
  );
  await writeFile(join(folder, one, 'bans.txt'), `${communities[one].players[0]} -1 ${one} reason\n`);
}

const projectOf = (one: Community) => ({
  slug: one,
  name: one,
  support: { title: `${one} title` },
  servers: [
    {
      id: `${one}-1`,
      name: `${one} server`,
      host: 'game.invalid',
      port: 2302,
      logs: join(folder, one),
      joinAddress: `${one}.example.org:2302`,
      schedules: [
        {
          kind: 'EVENT' as const,
          title: `${one} event`,
          recurrence: 'DAILY' as const,
          timeOfDay: '04:00',
          public: true,
        },
      ],
    },
    { id: `${one}-2`, name: `${one} second server`, host: 'game.invalid', port: 2402 },
  ],
  seasons: [{ name: `${one} season`, start: '2026-01-01T00:00:00Z' }],
  banlists: [
    {
      id: `${one}-bans`,
      name: `${one} bans`,
      public: true,
      sources: [{ file: join(folder, one, 'bans.txt'), format: 'battleye' as const }],
    },
  ],
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-guilds-'));
  for (const one of names) await writeLogs(one);
  discord = await startLocalDiscord({
    token,
    acknowledgeWithinMs: 60_000,
    guilds: names.map((one) => ({
      id: communities[one].guildId,
      name: one,
      channels: [0, 1, 2, 3, 4].map((index) => ({ id: channelOf(one, index), name: `c${index}` })),
    })),
  });
  lines.length = 0;
  config = {
    http: { port: 0 },
    live: { pollSeconds: 1 },
    projects: names.map(projectOf),
    discord: {
      guilds: names.map((one) => ({ id: communities[one].guildId, project: one })),
      // Posts of the config in the guild of the other community, too: nothing is posted there.
      statusPosts: names.flatMap((one) => [
        { channelId: channelOf(one, 1), servers: [`${one}-1`], names: true, chart: 'none' as const },
        { channelId: channelOf(otherOf(one), 2), servers: [`${one}-1`], names: true, chart: 'none' as const },
      ]),
      leaderboardPosts: names.map((one) => ({
        channelId: channelOf(one, 1),
        metric: 'PLAYER_KILLS' as const,
      })),
      schedulePosts: names.map((one) => ({ channelId: channelOf(otherOf(one), 2), servers: [`${one}-1`] })),
      alerts: names.map((one) => ({
        channelId: channelOf(otherOf(one), 3),
        servers: [`${one}-1`],
        down: { afterMinutes: 1 },
      })),
      killFeeds: names.flatMap((one) => [
        { channelId: channelOf(one, 3), servers: [`${one}-1`] },
        { channelId: channelOf(otherOf(one), 4), servers: [`${one}-1`] },
      ]),
    },
  };
  outpost = await compose({
    config: configSchema.parse(config),
    environment: {
      configFile: '',
      dataFolder: join(folder, 'data'),
      discordToken: token,
      discordApiUrl: discord.apiUrl,
    },
    log: pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }),
  });
  const polled = { timeout: 60_000, interval: 200 };
  await expect.poll(() => discord.commands().length, polled).toBeGreaterThan(0);
  // What stands in a log when it is found is its past, which feeds do not post.
  const isRead = (one: Community): boolean =>
    lines.some((line) => line.includes(`"kind":"logs","id":"${one}-1"`) && line.includes('source read'));
  await expect.poll(() => names.filter(isRead), polled).toEqual(names);
  for (const one of names) await appendFile(logOf(one), `${kill(one)}\n`);
  for (const one of names)
    await expect.poll(() => discord.messages(channelOf(one, 3)).length, polled).toBe(1);
});
afterEach(async () => {
  await outpost.close();
  await discord.close();
  await rm(folder, { recursive: true, force: true });
});

let asked = 0;
/** A member who has not used the bot too often. */
const nobodyYet = (one: Community) => ({ ...manager(one), id: `11000000000${(asked += 1) + 10_000_000}` });

async function use(
  one: Community,
  commandName: string,
  options: Record<string, string> = {},
): Promise<Invocation> {
  return await discord.invoke({
    guildId: communities[one].guildId,
    channelId: channelOf(one),
    user: nobodyYet(one),
    commandName,
    options,
  });
}

async function complete(one: Community, commandName: string, name: string, value = ''): Promise<unknown> {
  return await discord.autocomplete({
    guildId: communities[one].guildId,
    channelId: channelOf(one),
    user: nobodyYet(one),
    commandName,
    focused: { name, value },
  });
}

/** An answer without what a member typed. */
const textOf = (answer: Invocation, typed = ''): string =>
  JSON.stringify(answer.message ?? '').replaceAll(typed === '' ? '\0' : typed, '');

/** Everything that a guild shows on its own project, and what it says when asked about the other one. */
async function surfacesOf(one: Community): Promise<Record<string, string>> {
  const other = otherOf(one);
  const foreign = { server: `${other}-1`, player: communities[other].players[1], list: `${other}-bans` };
  const answers: Record<string, string> = {};
  for (const command of ['status', 'bans', 'schedule'])
    answers[`/${command}`] = textOf(await use(one, command));
  answers['/top'] = textOf(await use(one, 'top', { metric: 'PLAYER_KILLS' }));
  answers['/online'] = textOf(await use(one, 'online', { server: `${one}-1` }));
  answers['/lookup'] = textOf(await use(one, 'lookup', { identifier: communities[one].players[1] }));
  answers['/top of a season'] = textOf(await use(one, 'top', { metric: `${one} season` }));
  for (const command of ['status', 'online', 'schedule']) {
    answers[`/${command} of the other's server`] = textOf(
      await use(one, command, { server: foreign.server }),
      foreign.server,
    );
  }
  answers["/lookup of the other's player"] = textOf(await use(one, 'lookup', { identifier: foreign.player }));
  const name = playerName(other, 1);
  answers["/lookup of the other's name"] = textOf(await use(one, 'lookup', { identifier: name }), name);
  answers["/bans of the other's list"] = textOf(await use(one, 'bans', { list: foreign.list }), foreign.list);
  answers["/bans of the other's player"] = textOf(
    await use(one, 'bans', { identifier: communities[other].players[0] }),
  );
  const season = `${other} season`;
  answers["/top of the other's season"] = textOf(await use(one, 'top', { metric: season }), season);
  answers['/outpost posts'] = textOf(await use(one, 'outpost posts'));
  for (const [command, option] of [
    ['status', 'server'],
    ['online', 'server'],
    ['schedule', 'server'],
    ['top', 'metric'],
    ['lookup', 'identifier'],
    ['bans', 'list'],
    ['outpost player hide', 'identifier'],
    ['outpost player show', 'identifier'],
  ] as const) {
    answers[`completion of /${command}`] = JSON.stringify(await complete(one, command, option));
    answers[`completion of /${command}, typed`] = JSON.stringify(
      await complete(one, command, option, other.slice(0, 3)),
    );
  }
  for (const index of [1, 2, 3, 4]) {
    answers[`channel ${index}`] = JSON.stringify(discord.messages(channelOf(one, index)));
  }
  return answers;
}

const shownOf = (surfaces: Record<string, string>, one: Community): string[] =>
  Object.keys(surfaces).filter((key) => surfaces[key]?.includes(one));

it('shows in each guild its own project, and nothing of another one', { timeout: 120_000 }, async () => {
  for (const one of names) {
    const surfaces = await surfacesOf(one);
    expect(shownOf(surfaces, otherOf(one))).toEqual([]);
    // What is to be seen is seen, so that the test can fail.
    expect(shownOf(surfaces, one)).toEqual(
      expect.arrayContaining([
        '/status',
        '/top',
        '/bans',
        '/schedule',
        '/lookup',
        '/top of a season',
        'completion of /status',
        'completion of /lookup',
        'completion of /bans',
        'completion of /outpost player hide',
        'channel 1',
        'channel 3',
      ]),
    );
  }
  // There is one presence for all.
  expect(JSON.stringify(discord.gateway.presence())).not.toMatch(/alpha|bravo|\d+ ?\/ ?\d+/);
});

it(
  'does not follow a button, a menu or a message that was made for another guild',
  { timeout: 120_000 },
  async () => {
    for (const one of names) {
      const other = otherOf(one);
      const user = nobodyYet(one);
      const { message } = await discord.invoke({
        guildId: communities[one].guildId,
        channelId: channelOf(one),
        user,
        commandName: 'status',
        options: {},
      });
      const forged = [
        writeComponentId({
          command: 'status',
          action: 'view',
          ownerId: user.id,
          args: [`${other}-1`, '', ''],
        }),
        writeComponentId({
          command: 'lookup',
          action: 'view',
          ownerId: user.id,
          args: [communities[other].players[1]],
        }),
        writeComponentId({ command: 'lookup', action: 'view', ownerId: user.id, args: ['stored.3'] }),
        writeComponentId({ command: 'lookup', action: 'view', ownerId: user.id, args: ['stored.1'] }),
      ];
      for (const customId of forged) {
        const answer = await discord.click({ messageId: message?.id ?? '', customId, user, forged: true });
        expect(textOf(answer, `${other}-1`)).not.toMatch(new RegExp(`${other}( |player)`));
      }
    }
  },
);

it('changes in a guild only what its own project has', { timeout: 120_000 }, async () => {
  const [id, other] = [communities.bravo.players[1], communities.alpha.players[1]];
  // Bravo's managers cannot hide, show or forget a player of alpha.
  expect(textOf(await use('bravo', 'outpost player hide', { identifier: other }))).toContain(
    'nothing was changed',
  );
  expect(textOf(await use('bravo', 'outpost player hide', { identifier: playerName('alpha', 1) }))).toContain(
    'nothing was changed',
  );
  expect(textOf(await use('bravo', 'outpost player forget', { identifier: other }))).toContain(
    'several communities',
  );
  expect(textOf(await use('alpha', 'lookup', { identifier: other }))).toContain('alphaplayer1');
  const user = nobodyYet('bravo');
  const { message } = await discord.invoke({
    guildId: communities.bravo.guildId,
    channelId: channelOf('bravo'),
    user,
    commandName: 'outpost posts',
    options: {},
  });
  const target = Buffer.from(`id:${other}`).toString('base64url');
  const customId = writeComponentId({
    command: 'outpost',
    action: 'forget',
    ownerId: user.id,
    args: [target],
  });
  expect(
    textOf(await discord.click({ messageId: message?.id ?? '', customId, user, forged: true })),
  ).toContain('several communities');
  expect(textOf(await use('alpha', 'lookup', { identifier: other }))).toContain('alphaplayer1');
  // Their own they can.
  expect(textOf(await use('bravo', 'outpost player hide', { identifier: id }))).toContain('Player hidden');
  expect(JSON.stringify(await complete('alpha', 'outpost player show', 'identifier'))).toBe('[]');
  expect(JSON.stringify(await complete('bravo', 'outpost player show', 'identifier'))).toContain(id);

  // What bravo places shows bravo, and alpha can neither see nor remove it.
  const placed = await use('bravo', 'outpost setup', { kind: 'leaderboard', metric: 'PLAYER_KILLS' });
  expect(textOf(placed)).toContain('Post added');
  const posts = async (one: Community) => textOf(await use(one, 'outpost posts'));
  expect(await posts('alpha')).not.toContain(channelOf('bravo'));
  expect(JSON.stringify(discord.messages(channelOf('bravo')))).not.toContain('alpha');
});

it('posts nothing of servers of another community, and says so once', { timeout: 120_000 }, async () => {
  const refused = () => lines.filter((line) => line.includes('belong to another project'));
  // A status post, a schedule post, alerts and a kill feed in each guild.
  await expect.poll(() => refused().length, { timeout: 60_000 }).toBe(8);
  for (const one of names) {
    await expect.poll(() => discord.messages(channelOf(one, 1)).length, { timeout: 60_000 }).toBe(2);
    for (const index of [2, 4]) expect(discord.messages(channelOf(one, index))).toEqual([]);
    const posts = textOf(await use(one, 'outpost posts'));
    expect(posts).not.toMatch(/ of \?| for \?|in queue/);
    expect(posts.match(/\*\*Post of another community\*\*/g)).toHaveLength(4);
    expect(posts.match(/⚠️ Nothing is posted/g)).toHaveLength(4);
  }
  const { discord: section, ...rest } = config;
  const guilds = names.map((one) => ({ id: communities[one].guildId, project: otherOf(one) }));
  await outpost.reload(configSchema.parse({ ...rest, discord: { ...section, guilds } }));
  // What was posted of the other project before goes.
  for (const one of names) {
    await expect
      .poll(() => JSON.stringify(discord.messages(channelOf(one, 1))), { timeout: 60_000 })
      .not.toContain(`${one} server`);
    await expect.poll(() => discord.messages(channelOf(one, 2)).length, { timeout: 60_000 }).toBe(2);
  }
  await expect.poll(() => refused().length, { timeout: 60_000 }).toBe(8 + 4);
});

it(
  'lets a guild show another project after a reload, without another connection',
  { timeout: 120_000 },
  async () => {
    const identifies = discord.gateway.identifies;
    const { discord: section, ...rest } = config;
    const guilds = [
      { id: communities.alpha.guildId, project: 'bravo' },
      { id: communities.bravo.guildId, project: 'bravo' },
    ];
    const projects = [...(config.projects ?? [])].toReversed();
    await outpost.reload(configSchema.parse({ ...rest, projects, discord: { ...section, guilds } }));
    expect(textOf(await use('alpha', 'status'))).toContain('bravo server');
    expect(textOf(await use('alpha', 'status'))).not.toContain('alpha server');
    await expect
      .poll(() => JSON.stringify(discord.messages(channelOf('alpha', 2))), { timeout: 60_000 })
      .toContain('bravo server');
    expect(discord.gateway.identifies).toBe(identifies);
  },
);
