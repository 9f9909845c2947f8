import { expect, test } from 'vitest';
import { checkKillFeeds } from '../../../../src/cli/checks/discord/kill-feed-checks.ts';
import { configSchema } from '../../../../src/config/schema.ts';

/** What is found about a feed with these settings. */
function found(feed: object, killPositions = true, ...others: object[]): string[] {
  const address = { host: '127.0.0.1', port: 2302 };
  const servers = [
    { id: 's', name: 'S', ...address, logs: '/logs' },
    { id: 'bare', name: 'Bare', ...address },
  ];
  const killFeeds = [feed, ...others].map((each) => ({
    channelId: '123456789012345678',
    servers: ['s'],
    ...each,
  }));
  const config = configSchema.parse({
    projects: [{ slug: 'p', name: 'P', servers, killPositions }],
    discord: { killFeeds },
  });
  return checkKillFeeds(config).map((finding) => `${finding.status} ${finding.key}: ${finding.found}`);
}

test('warns of a kill feed that shows where players are', () => {
  expect(found({})).toEqual([]);
  expect(found({ positions: true, delaySeconds: 300 })).toEqual([]);
  expect(found({ positions: true, delaySeconds: 299 })).toEqual([
    'warning discord.killFeeds[0]: shows positions after 299 seconds, so members see where players are',
  ]);
});

test('warns of a kill feed with positions where none are stored', () => {
  expect(found({ positions: true, delaySeconds: 300 }, false)).toEqual([
    'warning discord.killFeeds[0]: is to show positions, but the project does not store them',
  ]);
});

test('warns of two kill feeds that post the same in one channel', () => {
  expect(found({}, true, { channelId: '123456789012345679' })).toEqual([]);
  expect(found({}, true, { servers: ['s'] })).toEqual([
    'warning discord.killFeeds[1]: another feed of this channel posts the kills of s, too',
  ]);
});

test('warns of a kill feed of a server without logs', () => {
  expect(found({ servers: ['s', 'bare'] })).toEqual([
    'warning discord.killFeeds[0]: server bare has no logs, so no kill of it is known',
  ]);
});
