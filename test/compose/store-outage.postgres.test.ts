import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Invocation, type LocalDiscord, startLocalDiscord } from 'local-discord';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compose, type Outpost } from '../../src/compose/compose.ts';
import { configSchema } from '../../src/config/schema.ts';
import { startLink, type Link } from '../harness/link.ts';
import { type NewStore, openNewDatabase } from '../harness/new-store.ts';
import { northwood, steamIds, storeAnn } from '../harness/northwood.ts';

const token = 'local-bot-token';
const guildId = '1100000000000000001';
const channel = '1100000000000000101';
/** A member may ask as often as this. */
const patience = { interval: 1_000, timeout: 60_000 };

let folder: string;
let store: NewStore;
let link: Link;
let discord: LocalDiscord;
let outpost: Outpost;
const lines: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-outage-'));
  store = await openNewDatabase();
  link = await startLink(store.location);
  discord = await startLocalDiscord({
    token,
    guilds: [{ id: guildId, name: 'G', channels: [{ id: channel, name: 'status' }] }],
    acknowledgeWithinMs: 60_000,
  });
  const throughLink = Object.assign(new URL(store.location), { port: new URL(link.url).port }).href;
  const statusPosts = [
    { channelId: channel, cron: '* * * * * *', servers: ['northwood-1'], chart: 'none' as const },
  ];
  const { projects } = northwood();
  lines.length = 0;
  outpost = await compose({
    config: configSchema.parse({
      http: { port: 0, page: {} },
      live: { pollSeconds: 1 },
      projects,
      discord: { guilds: [{ id: guildId, project: 'northwood' }], statusPosts },
    }),
    environment: {
      configFile: '',
      dataFolder: join(folder, 'data'),
      storeUrl: throughLink,
      discordToken: token,
      discordApiUrl: discord.apiUrl,
    },
    log: pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) }),
  });
});
afterEach(async () => {
  await outpost.close();
  await discord.close();
  await link[Symbol.asyncDispose]();
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

let asked = 0;
async function use(commandName: string, options: Record<string, string> = {}): Promise<string> {
  const user = {
    id: String(1100000000000010000n + BigInt((asked += 1))),
    username: 'mira',
    permissions: (1n << 5n) | (1n << 2n) | (1n << 11n),
  };
  const answer: Invocation = await discord.invoke({
    guildId,
    channelId: channel,
    user,
    commandName,
    options,
  });
  const { message } = answer;
  return JSON.stringify(message ? [message.embeds, message.components, message.attachments] : null);
}

const lookup = { identifier: steamIds.ann };
const kills = { metric: 'PLAYER_KILLS' };
const isOld = "Couldn't refresh. Last updated <t:";
const tryAgain = "isn't responding. Try again";

const posts = () => discord.messages(channel).filter(({ interaction }) => interaction === null);

async function leases(): Promise<Record<string, { owner: string; epoch: number; held: number }>> {
  const { rows } = await sql<{ name: string; owner: string; epoch: number; held: number }>`
    SELECT name, owner, epoch, expires_at > clock_timestamp() AS held FROM lease`.execute(store.db);
  return Object.fromEntries(rows.map(({ name, ...lease }) => [name, lease]));
}

it('answers members with the age of what it knows while the store is away', async () => {
  await storeAnn(store.db, 'northwood');
  await expect.poll(() => posts().length).toBe(1);
  const post = posts()[0]?.id;
  // The name of a player who is looked up stands on the card.
  const answers = {
    Northwood: await use('status'),
    Ann: await use('top', kills),
    'Last seen': await use('lookup', lookup),
  };
  for (const [text, answer] of Object.entries(answers)) {
    expect(answer).toContain(text);
    expect(answer).not.toContain(isOld);
  }
  expect((await fetch(`${outpost.url}/northwood`)).status).toBe(200);
  const { identifies, resumes } = discord.gateway;
  const before = await leases();

  link.cut();
  await store.db.updateTable('server').set({ name: 'Renamed' }).where('id', '=', 'northwood-1').execute();
  await expect.poll(async () => (await leases())['bot']?.held).toBe(0);
  await expect.poll(() => lines.some((line) => line.includes('lost leases'))).toBe(true);
  const ready = await fetch(`${outpost.url}/readyz`);
  expect(await ready.json()).toMatchObject({ checks: { store: false, writing: false } });
  // An answer is new for some seconds.
  await expect.poll(() => use('status'), patience).toContain(isOld);
  expect(await use('status')).toContain('Northwood | Chernarus');
  await expect.poll(() => use('top', kills), patience).toContain(isOld);
  await expect.poll(() => use('lookup', lookup), patience).toContain(isOld);
  expect(await use('lookup', lookup)).toContain('Last seen');
  // What it never knew.
  expect(await use('top', { metric: 'DEATHS' })).toContain(tryAgain);
  expect(await use('lookup', { identifier: 'somebody' })).toContain(tryAgain);
  expect(await use('outpost posts')).toContain(tryAgain);
  expect(discord.gateway).toMatchObject({ shards: [0], identifies, resumes });
  expect(posts().map(({ id }) => id)).toEqual([post]);
  expect(JSON.stringify(posts())).not.toContain('Renamed');
  await expect.poll(async () => (await fetch(`${outpost.url}/northwood`)).status, patience).toBe(503);
  // One line says that the store is away, not each page.
  const atDebug = '"level":20';
  const failures = lines.filter((line) => line.includes('public page failed') && !line.includes(atDebug));
  expect(failures).toEqual([]);

  link.mend();
  await expect.poll(() => use('status'), patience).toContain('Renamed');
  expect(await use('status')).not.toContain(isOld);
  await expect.poll(() => JSON.stringify(posts())).toContain('Renamed');
  await expect.poll(async () => (await leases())['bot']?.held).toBe(1);
  expect((await leases())['bot']).toEqual(before['bot']);
  await expect.poll(async () => (await leases())['poll:0']?.held).toBe(1);
  expect(discord.gateway).toMatchObject({ shards: [0], identifies, resumes });
  expect(posts().map(({ id }) => id)).toEqual([post]);
});
