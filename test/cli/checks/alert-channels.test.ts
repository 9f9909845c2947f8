import { expect, test } from 'vitest';
import { configuredChannels } from '../../../src/cli/checks/bot-checks.ts';
import { checkChannel } from '../../../src/cli/checks/channel-checks.ts';
import { configSchema } from '../../../src/config/schema.ts';

const [channelId, guildId] = ['1100000000000000101', '1100000000000000001'];

/** What the doctor says about an alert's channel that everyone can see. */
function found(alert: object, { isHome = true, isForAll = true } = {}): string[] {
  const { discord } = configSchema.parse({
    projects: [{ slug: 'p', name: 'P', servers: [{ id: 's', name: 'S', host: '127.0.0.1', port: 2302 }] }],
    discord: { alerts: [{ channelId, servers: ['s'], ...alert }] },
  });
  const facts = {
    state: 'found' as const,
    guildId,
    name: 'general',
    kind: 'text' as const,
    permissions: ~0n,
    isForAll,
    mentionable: new Set<string>(),
    roles: new Set<string>(),
  };
  const homes = new Set([isHome ? guildId : '1100000000000000002']);
  return configuredChannels(discord!).flatMap((wanted) =>
    checkChannel(wanted, facts, homes, null)
      .filter(({ status }) => status !== 'good')
      .map((finding) => `${finding.status} ${finding.found}`),
  );
}

test('the doctor warns when everyone sees the channel of alerts for moderators', () => {
  const warning = ['warning everyone can see it, and it gets what only moderators should know of players'];
  expect(found({ watched: {} })).toEqual(warning);
  expect(found({ banned: {} })).toEqual(warning);
  expect(found({ newPlayers: {} })).toEqual([]);
  expect(found({ watched: {} }, { isForAll: false })).toEqual([]);
});

test('the doctor says that alerts are for home guilds', () => {
  expect(found({ down: {} }, { isHome: false })).toEqual([
    'wrong its Discord server is not one of yours, so nothing is posted',
  ]);
});
