import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Invocation, type LocalDiscord, startLocalDiscord } from 'local-discord';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dayzIdOf } from '../../src/api/identifiers.ts';
import { compose, type Outpost } from '../../src/compose/compose.ts';
import { configSchema } from '../../src/config/schema.ts';
import { createApplication } from '../../src/server/store/repositories/applications/applications.ts';
import {
  hashSecret,
  newApplicationId,
  newSecret,
} from '../../src/server/store/repositories/applications/credentials.ts';
import { openWriter, storeFile, type WriteDatabase } from '../../src/server/store/engine/database.ts';
import { northwood } from '../harness/northwood.ts';
import { filesWith } from '../server/store/repositories/rights/rights-world.ts';

const token = 'local-bot-token';
const guildId = '1100000000000000100';
const [feedChannel, statusChannel, boardChannel, talkChannel] = ['201', '202', '203', '204'].map(
  (id) => `1100000000000000${id}`,
);
const manager = { id: '1100000000000000302', username: 'owner', permissions: 1n << 5n };
let members = 10_000;

const steam = {
  anna: '76561198207985320',
  bert: '76561198690788999',
  cid: '76561198017124053',
  dora: '76561197998690788',
};
const name = { anna: 'Annabella', bert: 'Bertram', cid: 'Cidonia', dora: 'Doralice' };
type Who = keyof typeof steam;

let folder: string;
let log: string;
let lines: string[];
let discord: LocalDiscord;
let outpost: Outpost;
let writer: WriteDatabase;
let get: (path: string) => Promise<string>;

const time = (minutesAgo: number): string => new Date(Date.now() - minutesAgo * 60_000).toISOString();
const clock = (minutesAgo: number): string => time(minutesAgo).slice(11, 19);
const player = (who: Who, dead = ''): string =>
  `Player "${name[who]}"${dead} (id=${dayzIdOf(steam[who])} pos=<1.0, 2.0, 3.0>)`;
const connected = (who: Who): string =>
  `${clock(0)} | Player "${name[who]}"(id=${dayzIdOf(steam[who])}) is connected`;
/** Lines about one victim within ten seconds are one death, so each group of kills has a minute of its own. */
const kill = (killer: Who, victim: Who, minute = 0): string =>
  `${clock(-minute)} | ${player(victim, ' (DEAD)')} killed by ${player(killer)} with M4A1 from 50.5 meters`;
const write = async (...texts: string[]): Promise<void> => await appendFile(log, `${texts.join('\n')}\n`);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-rights-'));
  const logs = join(folder, 'logs');
  await mkdir(logs);
  log = join(logs, 'DayZServer_x64.ADM');
  await writeFile(log, `AdminLog started on ${time(1).slice(0, 10)} at ${clock(1)}\n`);
  // Who has a SteamID64, as an identity log says.
  const at = `${time(1).slice(0, 10).replaceAll('-', '/')} ${clock(1)}`;
  const identities = Object.entries(steam).map(
    ([who, id]) => `${clock(1)}.500 Player "${name[who as Who]}" is connected (steamID=${id})`,
  );
  await writeFile(
    join(logs, 'DayZServer_x64_2026-01-01_12-00-00.RPT'),
    [
      'Exe timestamp: 2021/04/28 15:03:34',
      `Current time:  ${at}`,
      'Version 1.12.153891',
      ...identities,
      '',
    ].join('\n'),
  );
  const channels = [feedChannel, statusChannel, boardChannel, talkChannel].map((id) => ({
    id: id!,
    name: `c${id}`,
  }));
  discord = await startLocalDiscord({
    token,
    guilds: [{ id: guildId, name: 'Northwood', channels }],
    acknowledgeWithinMs: 60_000,
  });
  const [project, ...others] = northwood().projects;
  const servers = project?.servers?.map((server) =>
    // Whose name has no address: nobody knows whether it is online, and the log says who is on.
    server.id === 'northwood-2' ? { ...server, host: 'game.invalid', logs, timezone: 'UTC' } : server,
  );
  const servers2 = ['northwood-2'];
  const config = configSchema.parse({
    http: { port: 0 },
    projects: [{ ...project, servers }, ...others],
    discord: {
      killFeeds: [{ channelId: feedChannel, servers: servers2 }],
      statusPosts: [{ channelId: statusChannel, servers: servers2, names: true, chart: 'none' }],
      leaderboardPosts: [{ channelId: boardChannel, metric: 'PLAYER_KILLS' }],
    },
  });
  lines = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const environment = {
    configFile: '',
    dataFolder: join(folder, 'data'),
    discordToken: token,
    discordApiUrl: discord.apiUrl,
  };
  outpost = await compose({ config, environment, log: logger });
  writer = await openWriter(storeFile(join(folder, 'data')));
  const credentials = { id: newApplicationId(), secret: newSecret() };
  const application = {
    id: credentials.id,
    projectSlug: 'northwood',
    name: 'test',
    secretHash: hashSecret(credentials.secret),
    scopes: ['leaderboards:read', 'players:read', 'servers:read', 'banlists:read'] as const,
  };
  await createApplication(writer.db, application, Date.now());
  const headers = { 'User-Agent': credentials.id, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ application_id: credentials.id, secret: credentials.secret });
  const registered = await fetch(new URL('/v1/auth/register', outpost.url), {
    method: 'POST',
    headers,
    body,
  });
  const { token: bearer } = (await registered.json()) as { token: string };
  get = async (path) => {
    const answer = await fetch(new URL(path, outpost.url), {
      headers: { ...headers, Authorization: `Bearer ${bearer}` },
    });
    return await answer.text();
  };
});
afterAll(async () => {
  await writer.close();
  await outpost.close();
  await discord.close();
  await rm(folder, { recursive: true, force: true });
});

const use = async (
  commandName: string,
  options: Record<string, string>,
  user = manager,
): Promise<Invocation> =>
  await discord.invoke({ guildId, channelId: talkChannel!, user, commandName, options });
const textOf = ({ message }: Invocation): string =>
  JSON.stringify([message?.embeds, message?.components, message?.attachments]);
/** An answer that finds nobody repeats what was typed. */
const foundIn = (answer: Invocation): string =>
  /^(?:🔍|✏️)/u.test(answer.message?.embeds[0]?.title ?? '') ? '' : textOf(answer);

/** The surfaces on which a player appears. */
async function surfacesWith(who: Who): Promise<string[]> {
  // Nobody has used the bot too often.
  const member = { ...manager, id: `11000000000000${(members += 1)}`, permissions: 0n };
  const texts: Record<string, string> = {
    'GET leaderboards': await get('/v1/leaderboards'),
    'GET player': await get(`/v1/player/${steam[who]}`),
    '/lookup by id': foundIn(await use('lookup', { identifier: steam[who] }, member)),
    '/lookup by name': foundIn(await use('lookup', { identifier: name[who] }, member)),
    '/top': textOf(await use('top', { metric: 'PLAYER_KILLS' }, member)),
    '/top of the week': textOf(await use('top', { metric: 'PLAYER_KILLS', period: 'week' }, member)),
    '/online': textOf(await use('online', { server: 'northwood-2' }, member)),
    completion: JSON.stringify(
      await discord.autocomplete({
        guildId,
        channelId: talkChannel!,
        user: member,
        commandName: 'lookup',
        focused: { name: 'identifier', value: name[who].slice(0, 4) },
      }),
    ),
    feed: JSON.stringify(discord.messages(feedChannel!)),
    'status post': JSON.stringify(discord.messages(statusChannel!)),
    'leaderboard post': JSON.stringify(discord.messages(boardChannel!)),
  };
  return Object.keys(texts).filter((key) => texts[key]?.includes(name[who]));
}

const everywhere = [
  'GET leaderboards',
  'GET player',
  '/lookup by id',
  '/lookup by name',
  '/top',
  '/top of the week',
  '/online',
  'completion',
  'feed',
  'status post',
  'leaderboard post',
];

const withoutPosts = everywhere.filter((surface) => !surface.endsWith(' post'));
const withoutFeed = everywhere.filter((surface) => surface !== 'feed');

it('asks for the right to manage the server, in a home guild', async () => {
  await expect
    .poll(() => discord.commands().length + discord.commands(guildId).length, { timeout: 60_000 })
    .toBeGreaterThan(0);
  const asked = {
    guildId,
    channelId: talkChannel!,
    commandName: 'outpost player hide',
    options: { identifier: 'x' },
  };
  const denied = await discord.invoke({
    ...asked,
    user: { ...manager, permissions: 0n },
    evenIfHidden: true,
  });
  expect(textOf(denied)).toContain('permission to manage');
  const unknown = await use('outpost player hide', { identifier: 'Nobody at all' });
  expect(textOf(unknown)).toContain('nothing was changed');
});

it(
  'a hidden player vanishes everywhere and comes back, but for deleted messages; a forgotten one does not',
  { timeout: 180_000 },
  async () => {
    await expect
      .poll(() => discord.commands().length + discord.commands(guildId).length, { timeout: 60_000 })
      .toBeGreaterThan(0);
    await expect
      .poll(() => lines.some((line) => line.includes('source read')), { timeout: 60_000 })
      .toBe(true);
    await write(connected('anna'), connected('bert'), connected('cid'), connected('dora'));
    await write(kill('anna', 'bert'), kill('bert', 'cid'), kill('cid', 'anna'));
    const polled = { timeout: 60_000, interval: 2_000 };
    await expect.poll(() => discord.messages(feedChannel!).length, polled).toBe(3);
    for (const who of ['anna', 'bert'] as const)
      await expect.poll(() => surfacesWith(who), polled).toEqual(expect.arrayContaining(withoutPosts));
    // Posts follow at once when somebody is shown, and by the clock otherwise, which takes minutes. No message names Dora: it
    // would be deleted as soon as she is hidden.
    await use('outpost player hide', { identifier: steam.dora });
    await use('outpost player show', { identifier: steam.dora });
    await expect.poll(() => surfacesWith('anna'), polled).toEqual(everywhere);
    await expect.poll(() => surfacesWith('bert'), polled).toEqual(everywhere);

    const hidden = await use('outpost player hide', { identifier: steam.anna });
    expect(hidden.ephemeral).toBe(true);
    await expect.poll(() => surfacesWith('anna'), polled).toEqual([]);
    await expect.poll(() => surfacesWith('bert'), polled).toEqual(everywhere);
    // New messages, too.
    await write(kill('anna', 'cid', 1));
    await expect.poll(() => discord.messages(feedChannel!).length, polled).toBe(2);
    await expect.poll(() => surfacesWith('anna'), polled).toEqual([]);

    const offered = await discord.autocomplete({
      guildId,
      channelId: feedChannel!,
      user: manager,
      commandName: 'outpost player show',
      focused: { name: 'identifier', value: 'anna' },
    });
    expect(offered).toEqual([{ name: 'Annabella', value: steam.anna }]);
    await use('outpost player show', { identifier: steam.anna });
    await expect.poll(() => surfacesWith('anna'), polled).toEqual(withoutFeed);

    const asked = await use('outpost player forget', { identifier: steam.anna });
    expect(asked.ephemeral).toBe(true);
    await expect.poll(() => surfacesWith('anna'), polled).toEqual(withoutFeed);
    const button = asked.message?.components[0]?.components?.[0] as { custom_id: string };
    const press = { messageId: asked.message!.id, customId: button.custom_id };
    const done = await discord.click({ ...press, user: manager });
    expect(textOf(done)).toContain('Player forgotten');
    await expect.poll(() => surfacesWith('anna'), polled).toEqual([]);
    await write(kill('anna', 'cid', 2), kill('bert', 'anna', 2));
    await expect.poll(() => discord.messages(feedChannel!).length, polled).toBe(4);
    await expect.poll(() => surfacesWith('anna'), polled).toEqual([]);
    await expect.poll(() => surfacesWith('bert'), polled).toEqual(everywhere);
    const data = join(folder, 'data');
    for (const text of [name.anna, steam.anna, dayzIdOf(steam.anna)])
      await expect.poll(() => filesWith(data, text), polled).toEqual([]);
    for (const text of [name.anna, steam.anna, dayzIdOf(steam.anna)])
      expect(lines.join('')).not.toContain(text);
    expect(lines.filter((line) => line.includes('changed the rights of a player'))).toHaveLength(5);
  },
);
