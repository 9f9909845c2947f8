import { appendFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startLocalDiscord, type LocalDiscord } from 'local-discord';
import { dayzIdOf } from '../../src/api/identifiers.ts';
import { northwood } from '../harness/northwood.ts';
import { newDatabase } from '../harness/new-store.ts';
import { callersPace, createWorkplace, type Workplace } from '../harness/outpost-process.ts';
import type { TestDatabase } from '../harness/postgres-databases.ts';

const token = 'local-bot-token';
const channel = '1100000000000000101';
let database: TestDatabase;
let place: Workplace;
let discord: LocalDiscord;
beforeEach(async () => {
  place = await createWorkplace();
  database = await newDatabase();
  place.environment['OUTPOST_STORE_URL'] = database.url;
  discord = await startLocalDiscord({
    token,
    guilds: [{ id: '1100000000000000001', name: 'G', channels: [{ id: channel, name: 'status' }] }],
    acknowledgeWithinMs: 60_000,
  });
});
afterEach(async () => {
  await place.remove();
  await discord.close();
  await database.drop();
});

const config = {
  ...northwood(),
  discord: { statusPosts: [{ channelId: channel, cron: '* * * * * *', servers: ['northwood-1'] }] },
};
const environment = () => ({ DISCORD_TOKEN: token, DISCORD_API_URL: discord.apiUrl });

it('serves and posts from a store on PostgreSQL, and finds tokens and posts again after a restart', async () => {
  await place.configure(config);
  const first = await place.start(environment());
  const headers = await place.newCaller(first.url, 'northwood');
  const servers = async (url: string): Promise<unknown> => {
    const answer = await fetch(`${url}/v1/servers`, { headers });
    expect(answer.status).toBe(200);
    return await answer.json();
  };
  expect(JSON.stringify(await servers(first.url))).toContain('northwood-1');
  await expect.poll(() => discord.messages(channel).length).toBe(1);
  const before = discord.messages(channel).map(({ id }) => id);
  await first.stop();
  const edits = (): number => discord.requests.filter(({ method }) => method === 'PATCH').length;
  const earlier = edits();
  const second = await place.start(environment());
  expect(JSON.stringify(await servers(second.url))).toContain('northwood-1');
  await expect.poll(edits).toBeGreaterThan(earlier);
  expect(discord.messages(channel).map(({ id }) => id)).toEqual(before);
  const { stdout, stderr } = await second.stop();
  expect(stdout + stderr).not.toContain(new URL(database.url).password);
});

it('follows an admin log into a store on PostgreSQL', async () => {
  const time = new Date(Date.now() - 60_000).toISOString();
  const clock = time.slice(11, 19);
  const steamId = '76561198207985320';
  const log = await place.write(
    'DayZServer_x64.ADM',
    `AdminLog started on ${time.slice(0, 10)} at ${clock}\n`,
  );
  const [project, ...others] = northwood().projects;
  const servers = project?.servers?.map((server) =>
    server.id === 'northwood-2' ? { ...server, logs: place.folder } : server,
  );
  await place.configure({ ...config, projects: [{ ...project!, servers }, ...others] });
  const outpost = await place.start();
  await outpost.logged('source read');
  const headers = await place.newCaller(outpost.url, 'northwood');
  await appendFile(log, `${clock} | Player "Ann"(id=${dayzIdOf(steamId)}) is connected\n`);
  const found = async (): Promise<string> =>
    await (await fetch(`${outpost.url}/v1/player/${steamId}`, { headers })).text();
  await expect.poll(found, callersPace).toContain('Ann');
});
