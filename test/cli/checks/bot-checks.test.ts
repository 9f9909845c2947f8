import { expect, test } from 'vitest';
import { checkBotConfig } from '../../../src/cli/checks/bot-checks.ts';
import { configSchema } from '../../../src/config/schema.ts';

const channelId = '123456789012345678';

/** What is found about the bot's section of a config whose server `bare` has no logs. */
function found(discord: object, { isRemote = false, killPositions = true } = {}): string[] {
  const address = { host: '127.0.0.1', port: 2302 };
  const servers = [
    { id: 's', name: 'S', ...address, logs: '/logs' },
    { id: 'bare', name: 'Bare', ...address },
  ];
  const config = configSchema.parse({
    projects: [{ slug: 'p', name: 'P', servers, killPositions }],
    discord: { guilds: [{ id: channelId }], ...discord },
  });
  return checkBotConfig(config.discord!, isRemote ? null : config)
    .filter(({ status }) => status !== 'good')
    .map((finding) => `${finding.status} ${finding.key}: ${finding.found}`);
}

const feed = (changes: object) => ({ killFeeds: [{ channelId, servers: ['s'], ...changes }] });
const alert = (rules: object, servers = ['s', 'bare']) => ({ alerts: [{ channelId, servers, ...rules }] });

test('warns of a kill feed that cannot show where players are', () => {
  expect(found(feed({}))).toEqual([]);
  expect(found(feed({ positions: true }))).toEqual([]);
  expect(found(feed({ positions: true }), { killPositions: false })).toEqual([
    'warning discord.killFeeds[0]: is to show positions, but the project does not store them',
  ]);
});

test('warns of posts of a server without logs, which would never come', () => {
  expect(found(feed({ servers: ['s', 'bare'] }))).toEqual([
    'warning discord.killFeeds[0]: server bare has no logs, so there is nothing to post about it',
  ]);
  const expected = ['warning discord.alerts[0]: server bare has no logs, so it is not known who comes on'];
  for (const rule of ['watched', 'banned', 'newPlayers'])
    expect(found(alert({ [rule]: {} }))).toEqual(expected);
  expect(found(alert({ down: { afterMinutes: 5 } }))).toEqual([]);
});

test('warns of what a bot cannot have that reads a service elsewhere', () => {
  expect(found({ ...feed({}), ...alert({ watched: {} }) }, { isRemote: true })).toEqual([
    'warning discord.killFeeds: the bot reads a service elsewhere, which does not have what they need',
    'warning discord.alerts: the bot reads a service elsewhere, which does not say who comes on',
  ]);
  expect(found(alert({ down: { afterMinutes: 5 } }), { isRemote: true })).toEqual([]);
});
