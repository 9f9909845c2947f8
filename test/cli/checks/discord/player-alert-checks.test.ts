import { expect, test } from 'vitest';
import {
  checkPlayerAlerts,
  checkRemoteAlerts,
} from '../../../../src/cli/checks/discord/player-alert-checks.ts';
import { configSchema } from '../../../../src/config/schema.ts';

function configOf(rules: object) {
  const address = { host: '127.0.0.1', port: 2302 };
  const servers = [
    { id: 's', name: 'S', ...address, logs: '/logs' },
    { id: 'bare', name: 'Bare', ...address },
  ];
  return configSchema.parse({
    projects: [{ slug: 'p', name: 'P', servers }],
    discord: { alerts: [{ channelId: '123456789012345678', servers: ['s', 'bare'], ...rules }] },
  });
}

test('warns of an alert about players of a server without logs, which would never come', () => {
  const found = (rules: object) =>
    checkPlayerAlerts(configOf(rules)).map(({ key, found }) => `${key}: ${found}`);
  const expected = ['discord.alerts[0]: server bare has no logs, so it is not known who comes on'];
  for (const rule of ['watched', 'banned', 'newPlayers']) expect(found({ [rule]: {} })).toEqual(expected);
  expect(found({ down: { afterMinutes: 5 } })).toEqual([]);
});

test('warns of alerts about players where the bot reads a service elsewhere', () => {
  expect(checkRemoteAlerts(configOf({ watched: {} }).discord!)).toHaveLength(1);
  expect(checkRemoteAlerts(configOf({ down: { afterMinutes: 5 } }).discord!)).toEqual([]);
});
