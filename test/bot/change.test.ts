import { Keyv } from 'keyv';
import { expect, it, vi } from 'vitest';
import type { Invocation } from 'local-discord';
import { contentOf } from '../../src/config/schema/channel-jobs.ts';
import { contractClient } from '../commands/contract-client.ts';
import * as data from '../embeds/contract-data.ts';
import {
  channelId,
  discordConfig,
  guildId,
  held,
  member,
  startWorld,
  testProjects,
  until,
} from './discord-world.ts';

const config = discordConfig({ locale: 'en-US', guildIds: [guildId], presence: false });
const withPost = discordConfig({
  ...config,
  statusPosts: [{ channelId, cron: '0 0 1 1 *', servers: ['northwood-1'] }],
});

it('loses no command while its settings change, and stays connected', async () => {
  await using world = await startWorld({ bot: { config } });
  await world.bot.ready;
  const asked: Promise<Invocation>[] = [];
  const ask = () =>
    asked.push(world.discord.invoke({ guildId, channelId, user: member, commandName: 'status' }));
  const former = contractClient({}, Date.now);
  const changed = contractClient({ listServers: () => ({ servers: [data.server({ name: 'Renamed' })] }) });
  for (let round = 0; round < 20; round += 1) {
    ask();
    const projects = testProjects(() => (round % 2 === 0 ? changed : former));
    const changing = world.bot.change({ projects, config: withPost });
    ask();
    await changing;
    ask();
  }
  await world.bot.change({ projects: testProjects(() => changed), config });
  ask();
  const answers = await Promise.all(asked);
  expect(answers.filter(({ message }) => message === null)).toEqual([]);
  expect(JSON.stringify(answers.at(-1)?.message?.embeds)).toContain('Renamed');
  expect(world.discord.gateway.identifies).toBe(1);
});

it('takes posts over from the settings before, and goes on in the same message with those that come back', async () => {
  await using world = await startWorld({ bot: { config: withPost } });
  await world.bot.ready;
  const posts = () => world.discord.messages(channelId);
  await until(() => posts().length === 1);
  const client = contractClient({ listServers: () => ({ servers: [data.server({ players: 7 })] }) });
  const projects = testProjects(() => client);
  await world.bot.change({ projects, config: { ...withPost, locale: 'de' } });
  await until(() => JSON.stringify(posts()).includes('Spieler'));
  await world.bot.change({ projects, config });
  expect(world.bot.postStates()).toEqual([]);
  const [before] = posts();
  await world.bot.change({ projects, config: withPost });
  await until(() => JSON.stringify(posts()).includes('players'));
  expect(posts().map(({ id }) => id)).toEqual([before?.id]);
});

it('ends posts that are being started while it stops', async () => {
  const keyv = new Keyv();
  const get = keyv.get.bind(keyv) as (key: string) => Promise<unknown>;
  const reading = held<object[]>();
  const read = vi.fn(async (key: string) => await (key === 'placements' ? reading.promise : get(key)));
  keyv.get = read as unknown as typeof keyv.get;
  await using world = await startWorld({ bot: { keyv } });
  await until(() => read.mock.calls.some(([key]) => key === 'placements'));
  const stopped = world.bot.stop();
  reading.resolve([{ id: 'a', guildId, channelId, content: contentOf('schedule', { servers: ['s'] }) }]);
  await stopped;
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(world.discord.messages(channelId)).toEqual([]);
});

it('registers the commands where the settings want them from now on', async () => {
  await using world = await startWorld({ bot: { config } });
  await world.bot.ready;
  const commands = () => world.discord.commands(guildId);
  const before = commands().length;
  expect(before).toBeGreaterThan(0);
  await world.bot.change({
    projects: testProjects(() => contractClient({}, Date.now)),
    config: { ...config, guildIds: [] },
  });
  await until(() => world.discord.commands().length === before);
});

it('registers the commands once more for a change during an attempt that fails', async () => {
  await using world = await startWorld({ bot: { config, timing: { registerRetryMs: 200 } } });
  await world.bot.ready;
  const { requests } = world.discord;
  const writes = () => requests.filter(({ path }) => path.includes('/commands')).length;
  world.discord.fail(
    { method: 'PUT', path: `/applications/${world.discord.applicationId}/commands` },
    { status: 500, delayMs: 20 },
    4,
  );
  const projects = testProjects(() => contractClient({}, Date.now));
  const before = writes();
  void world.bot.change({ projects, config: { ...config, guildIds: [] } });
  await until(() => writes() > before);
  await world.bot.change({ projects, config });
  await until(() => world.lines.some(({ msg }) => msg === 'all commands are registered'));
  const after = writes();
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(writes()).toBe(after);
});
