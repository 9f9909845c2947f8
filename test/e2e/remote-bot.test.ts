import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startLocalDiscord, type LocalDiscord } from 'local-discord';
import { startLink } from '../harness/link.ts';
import { northwood } from '../harness/northwood.ts';
import { createWorkplace, type Running, type Workplace } from '../harness/outpost-process.ts';

const token = 'local-remote-token';
const guildId = '1100000000000000001';
const channelId = '1100000000000000101';
const user = { id: '1100000000000000301', username: 'mira' };

/** Where the service runs that bots elsewhere read. */
let there: Workplace;
let service: Running;
beforeAll(async () => {
  there = await createWorkplace();
  await there.configure({ projects: northwood().projects.slice(0, 1) });
  service = await there.start();
});
afterAll(() => there.remove());

let here: Workplace;
let discord: LocalDiscord;
/** What the bot needs to read the service. */
let environment: Record<string, string>;
beforeEach(async () => {
  here = await createWorkplace();
  const channels = [{ id: channelId, name: 'general' }];
  const guilds = [{ id: guildId, name: 'G', channels }];
  discord = await startLocalDiscord({ token, guilds, acknowledgeWithinMs: 60_000 });
  // Each of its own, as the service limits what an application asks in a minute.
  const options = ['--project', 'northwood', '--name', 'Bot', '--scopes', 'all'];
  const { id, secret } = await there.outpostJson('app', 'create', ...options);
  environment = {
    DISCORD_TOKEN: token,
    DISCORD_API_URL: discord.apiUrl,
    OUTPOST_API_URL: service.url,
    OUTPOST_APPLICATION_ID: id,
    OUTPOST_SECRET: secret,
  };
});
afterEach(async () => {
  await here.remove();
  await discord.close();
});

const writeConfig = (section: object) => here.write('outpost.yaml', stringify({ discord: section }));
const post = (...servers: string[]) => ({ channelId, cron: '* * * * * *', servers, chart: 'none' });
const registered = () => expect.poll(() => discord.commands().length).toBeGreaterThan(0);
const posts = () => discord.messages(channelId).map(({ embeds }) => embeds[0]?.title ?? '');

it('runs a bot without a config, a store or a port of its own against a service elsewhere', async () => {
  const bot = await here.startBot(environment);
  await registered();
  const { message } = await discord.invoke({ guildId, channelId, user, commandName: 'status' });
  const names = message?.embeds[0]?.fields?.map(({ name }) => name.replace(/^\S+ /, ''));
  expect(names).toEqual(['Northwood | Chernarus', 'Northwood | Livonia']);
  await bot.logged('the bot reads 2 servers');
  expect(bot.output()).toContain('names from server logs are not shown');
  // Besides the lock, only what expires or is tiny.
  const files = await readdir(join(here.folder, 'data'));
  expect(files.filter((name) => !/^outpost\.sqlite|lock/.test(name))).toEqual([]);
  expect(bot.output()).not.toContain('service listens');
  expect(bot.output()).not.toContain(environment['OUTPOST_SECRET']);
  expect((await bot.stop()).code).toBe(0);
});

it('keeps posts about the servers of that service, and names those that it does not have', async () => {
  await writeConfig({ statusPosts: [post('northwood-2', 'northwood-9')] });
  const bot = await here.startBot(environment);
  await bot.logged('discord.statusPosts[0].servers[1]');
  expect(bot.output()).toContain('it has northwood-1, northwood-2');
  await expect.poll(posts).toEqual([expect.stringContaining('Northwood | Livonia')]);
  Object.assign(here.environment, environment);
  const checked = await here.outpost('doctor', '--json');
  expect(checked.code).toBe(1);
  expect(JSON.parse(checked.stdout).findings).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ key: 'OUTPOST_API_URL', status: 'good' }),
      expect.objectContaining({ key: 'discord.statusPosts[0].servers[1]', status: 'wrong' }),
    ]),
  );
  await writeConfig({ guilds: [{ id: guildId }] });
  expect((await here.outpost('doctor')).code).toBe(0);
  here.environment['OUTPOST_SECRET'] = 'ops_wrong';
  const refused = await here.outpost('doctor');
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('OUTPOST_SECRET')]);
});

it('starts while the service is unreachable, and recovers by itself once it is back', async () => {
  await using link = await startLink(service.url);
  link.cut();
  await writeConfig({ statusPosts: [post('northwood-2')] });
  const bot = await here.startBot({ ...environment, OUTPOST_API_URL: link.url });
  await bot.logged('; the bot shows what it last read, and keeps trying');
  // The post asks each second.
  await expect.poll(() => posts().at(-1)).toContain('Status unavailable');
  // Once more.
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  link.mend();
  await expect.poll(() => posts().at(-1)).toContain('Northwood | Livonia');
  await bot.logged('answers again');
  const lines = (text: string) => bot.output().split(text).length - 1;
  expect(lines('; the bot shows what it last read, and keeps trying')).toBe(1);
  expect(lines('status post: could not read the service')).toBe(1);
  // It holds a connection over the link.
  await bot.stop();
});

it('says what is missing when there is a service to read and no bot to run', async () => {
  Object.assign(here.environment, environment, { DISCORD_TOKEN: '' });
  const { code, stderr } = await here.outpost('start');
  expect([code, stderr]).toEqual([1, expect.stringContaining('DISCORD_TOKEN')]);
});
