import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startLocalDiscord, type LocalDiscord } from 'local-discord';
import { member } from '../bot/discord-world.ts';
import { callbacksOf, expectAnsweredOnce } from '../bot/faults.ts';
import { newDatabase } from '../harness/new-store.ts';
import { northwood } from '../harness/northwood.ts';
import { createWorkplace, type Running, type Workplace } from '../harness/outpost-process.ts';
import type { TestDatabase } from '../harness/postgres-databases.ts';

const token = 'local-bot-token';
const guildId = '1100000000000000001';
const channelId = '1100000000000000101';

let database: TestDatabase;
let place: Workplace;
let discord: LocalDiscord;
beforeEach(async () => {
  place = await createWorkplace();
  database = await newDatabase();
  discord = await startLocalDiscord({
    token,
    guilds: [{ id: guildId, name: 'G', channels: [{ id: channelId, name: 'status' }] }],
    // Longer than a lease lasts.
    acknowledgeWithinMs: 120_000,
  });
  const statusPosts = [{ channelId, cron: '* * * * * *', servers: ['northwood-1'] }];
  await place.configure({ ...northwood(), discord: { statusPosts } });
});
afterEach(async () => {
  await place.remove();
  await discord.close();
  await database.drop();
});

const start = (name: string): Promise<Running> =>
  place.start({
    OUTPOST_STORE_URL: database.url,
    OUTPOST_DATA: join(place.folder, name),
    DISCORD_TOKEN: token,
    DISCORD_API_URL: discord.apiUrl,
  });
const posts = () => discord.messages(channelId).filter(({ interaction }) => interaction === null);
/** There is one post, and whoever has the bot makes it again when it is deleted. */
async function expectOnePostKept(): Promise<void> {
  const [post, ...others] = posts();
  expect(others).toEqual([]);
  discord.deleteMessage(channelId, post?.id ?? '');
  await expect.poll(() => posts().length).toBe(1);
}
const ask = () => discord.invoke({ guildId, channelId, user: member, commandName: 'schedule' });

/** Two processes, of which the first has the bot, and its post stands. */
async function startBoth(): Promise<[Running, Running]> {
  const first = await start('first');
  await first.logged('the bot is online');
  await expect.poll(() => posts().length).toBe(1);
  const second = await start('second');
  await expectOnePostKept();
  expectAnsweredOnce(discord, await ask());
  expect(discord.gateway).toMatchObject({ identifies: 1, connected: 1 });
  return [first, second];
}

it.each(['SIGKILL', 'SIGTERM'] as const)(
  'another process takes the bot over after %s, and posts nothing a second time',
  async (signal) => {
    const [first, second] = await startBoth();
    first.signal(signal);
    await first.ended;
    await second.logged('the bot is online');
    await expectOnePostKept();
    expectAnsweredOnce(discord, await ask());
    expect(discord.gateway).toMatchObject({ identifies: 2, resumes: 0, connected: 1 });
  },
);

it.skipIf(process.platform === 'win32')(
  'a process that was suspended leaves the bot to the one that has taken it over, and answers nothing that this one was asked',
  async () => {
    const [first, second] = await startBoth();
    first.signal('SIGSTOP');
    await second.logged('the bot is online');
    await expectOnePostKept();
    // Discord sends it to both.
    const asked = await ask();
    first.signal('SIGCONT');
    await first.logged('lost leases');
    await expect.poll(() => discord.gateway.connected).toBe(1);
    await expectOnePostKept();
    for (const answer of [asked, await ask()]) {
      expectAnsweredOnce(discord, answer);
      expect(callbacksOf(discord, answer.id)).toHaveLength(1);
    }
    expect(discord.gateway).toMatchObject({ identifies: 2, resumes: 0 });
  },
);
