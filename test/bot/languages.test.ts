import { expect, it } from 'vitest';
import { metricCodes } from '../../src/api/metrics.ts';
import { commandDefinitions } from '../../src/commands/index.ts';
import { locales } from '../../src/locales/language.ts';
import { contractClient } from '../commands/contract-client.ts';
import * as data from '../embeds/contract-data.ts';
import { channelId, guildId, member, startWorld, until } from './discord-world.ts';

const northwood = { id: guildId, name: 'Northwood', channels: [{ id: channelId, name: 'general' }] };

it.each([
  ['de', 'Serverstatus'],
  ['es-419', 'Estado de los servidores'],
  ['en-GB', 'Server status'],
  ['uk', 'Статус серверів'],
  ['ja', 'Server status'],
])('a member whose Discord speaks %s reads that language', async (locale, title) => {
  await using world = await startWorld();
  await world.bot.ready;
  const asked = { guildId, channelId, user: { ...member, locale }, commandName: 'status' };
  const { message } = await world.discord.invoke(asked);
  expect(message?.embeds[0]?.title).toBe(title);
});

it('is offered metrics by the names of the language, and understands them', async () => {
  const client = contractClient({
    listLeaderboards: ({ metric: asked }) => {
      const metric = metricCodes.find((code) => code === asked);
      return { leaderboards: [data.leaderboard(['Anna'], metric && { metric })] };
    },
  });
  await using world = await startWorld({ client });
  await world.bot.ready;
  const asked = { guildId, channelId, user: { ...member, locale: 'pl' }, commandName: 'top' };
  const choices = await world.discord.autocomplete({
    ...asked,
    focused: { name: 'metric', value: 'zabici' },
  });
  expect(choices).toEqual([
    { name: 'Zabici gracze', value: 'PLAYER_KILLS' },
    { name: 'Zabici zarażeni', value: 'ZOMBIE_KILLS' },
  ]);
  const { message } = await world.discord.invoke({ ...asked, options: { metric: 'zgony' } });
  expect(message?.embeds[0]?.title).toContain('Zgony');
});

it('a post speaks the language of its guild, unless the config says otherwise', async () => {
  const posts = (locale?: string) => ({
    guildIds: [],
    presence: false,
    statusPosts: [{ channelId, cron: '0 0 1 1 *', servers: ['northwood-1', 'northwood-2'], locale }],
  });
  const discord = { guilds: [{ ...northwood, locale: 'ru' }] };
  const titleOf = async (locale?: string) => {
    await using world = await startWorld({ discord, bot: { config: posts(locale) } });
    await world.bot.ready;
    await until(() => world.discord.messages(channelId).length > 0);
    return world.discord.messages(channelId)[0]?.embeds[0]?.title;
  };
  expect(await titleOf()).toBe('Статус серверов');
  expect(await titleOf('fr')).toBe('État des serveurs');
});

it('commands are registered in every language, once', async () => {
  await using world = await startWorld();
  await world.bot.ready;
  const registered = world.discord.commands();
  expect(registered).toHaveLength(commandDefinitions.length);
  for (const command of registered) {
    expect(Object.keys(command.description_localizations ?? {}).toSorted()).toEqual(
      locales.filter((locale) => locale !== 'en-US').toSorted(),
    );
  }
  const puts = () => world.discord.requests.filter(({ method }) => method === 'PUT').length;
  const before = puts();
  await world.restart();
  expect(puts()).toBe(before);
});
