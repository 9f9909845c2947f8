import { writeFile } from 'node:fs/promises';
import { DateTime } from 'luxon';
import { startLocalDiscord, type LocalDiscord } from 'local-discord';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dayzIdOf } from '../../src/api/identifiers.ts';
import { steamIds } from '../harness/northwood.ts';
import { createWorkplace, type Workplace } from '../harness/outpost-process.ts';

const token = 'local-bot-token';
const guildId = '1100000000000000001';
const [total, weekly, recaps, chat] = [1, 2, 3, 4].map((n) => `110000000000000010${n}`) as [
  string,
  string,
  string,
  string,
];
/** A token, an address and a member may ask so often and no more. */
const patience = { timeout: 60_000, interval: 1_000 };
let place: Workplace;
let discord: LocalDiscord;
beforeEach(async () => {
  place = await createWorkplace();
  const channels = [total, weekly, recaps, chat].map((id) => ({ id, name: `channel-${id}` }));
  discord = await startLocalDiscord({
    token,
    guilds: [{ id: guildId, name: 'G', channels }],
    acknowledgeWithinMs: 60_000,
  });
});
afterEach(async () => {
  await place.remove();
  await discord.close();
});

it('takes who is banned for good off every board while it runs, and puts the player back', async () => {
  const [ann, bob] = [steamIds.ann, steamIds.bob].map((id) => dayzIdOf(id)) as [string, string];
  const kill = (minute: number, killer: string, id: string, meters: number) =>
    `12:${minute}:00 | Player "Cid" (DEAD) (id=${dayzIdOf(steamIds.cid)}) killed by Player "${killer}" (id=${id}) with SVD from ${meters} meters `;
  const run = (day: DateTime) => [
    `AdminLog started on ${day.toISODate()} at 12:00:00`,
    kill(10, 'Ann', ann, 800),
    kill(11, 'Ann', ann, 800),
    kill(12, 'Bob', bob, 400),
  ];
  // One run in the last week and one in this one.
  const monday = DateTime.utc().startOf('week');
  const log = await place.write('x.ADM', [...run(monday.minus({ days: 3 })), ...run(monday), ''].join('\n'));
  const banFile = await place.write('ban.txt', '');
  const server = { id: 'northwood-1', name: 'Northwood', host: '127.0.0.1', port: 2302 };
  const everySecond = '* * * * * *';
  await place.configure({
    http: { page: {} },
    projects: [
      {
        slug: 'northwood',
        name: 'Northwood',
        servers: [server],
        banlists: [{ id: 'bans', name: 'Bans', sources: [{ file: banFile, format: 'dayz' }] }],
      },
    ],
    discord: {
      locale: 'en-US',
      guilds: [{ id: guildId }],
      leaderboardPosts: [
        { channelId: total, cron: everySecond, metric: 'PLAYER_KILLS' },
        { channelId: weekly, cron: everySecond, metric: 'PLAYER_KILLS', period: 'week' },
      ],
      recapPosts: [{ channelId: recaps, cron: '*/2 * * * * *' }],
    },
  });
  expect((await place.outpost('import', 'adm', '--server', 'northwood-1', log)).code).toBe(0);
  const { url } = await place.start({ DISCORD_TOKEN: token, DISCORD_API_URL: discord.apiUrl });
  const headers = await place.newCaller(url, 'northwood');
  const text = async (path: string) => await (await fetch(`${url}${path}`, { headers })).text();
  let member = 1_100_000_000_000_000_301n;
  const top = async (period?: string) => {
    member += 1n;
    const { message } = await discord.invoke({
      guildId,
      channelId: chat,
      user: { id: String(member), username: 'mira' },
      commandName: 'top',
      options: { metric: 'PLAYER_KILLS', ...(period !== undefined && { period }) },
    });
    return JSON.stringify([message?.embeds, message?.components]);
  };
  const latest = (channelId: string) => {
    const { embeds, attachments } = discord.messages(channelId).at(-1) ?? {};
    return JSON.stringify([embeds, attachments]);
  };
  const leaderOf = (shown: string): string => /\b(?:Ann|Bob)\b/.exec(shown)?.[0] ?? shown.slice(0, 300);
  const leaders = async () => ({
    service: leaderOf(await text('/v1/leaderboards?metric=PLAYER_KILLS')),
    page: leaderOf(await text('/boards/player-kills?lang=en')),
    top: leaderOf(await top()),
    week: leaderOf(await top('week')),
    post: leaderOf(latest(total)),
    weeklyPost: leaderOf(latest(weekly)),
    recap: leaderOf(latest(recaps)),
  });
  const everywhere = (name: string) =>
    Object.fromEntries(
      ['service', 'page', 'top', 'week', 'post', 'weeklyPost', 'recap'].map((board) => [board, name]),
    );
  await expect.poll(() => discord.commands().length).toBeGreaterThan(0);
  await expect.poll(leaders, patience).toEqual(everywhere('Ann'));

  const player = ['--banlist', 'bans', '--player', steamIds.ann];
  await place.outpostJson('ban', 'add', ...player, '--category', 'CHEATING', '--reason', 'aimbot');
  await expect.poll(leaders, patience).toEqual(everywhere('Bob'));
  expect(await text(`/v1/player/${steamIds.ann}`)).toContain('"Ann"');
  await place.outpostJson('ban', 'lift', ...player);
  await expect.poll(leaders, patience).toEqual(everywhere('Ann'));

  await writeFile(banFile, `${steamIds.ann} // aimbot\n`);
  await expect.poll(leaders, patience).toEqual(everywhere('Bob'));
});
