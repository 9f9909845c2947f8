import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { stringify } from 'yaml';
import {
  checkPlayerAlerts,
  checkRemoteAlerts,
} from '../../../../src/cli/checks/discord/player-alert-checks.ts';
import { configSchema } from '../../../../src/config/schema.ts';
import { outpost } from '../../../harness/command-line.ts';

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

test('check-config says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'outpost-player-alerts-'));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true, force: true });
  });
  const servers = [{ id: 'bare', name: 'Bare', host: '127.0.0.1', port: 2302 }];
  const alerts = [{ channelId: '123456789012345678', servers: ['bare'], watched: {} }];
  const file = join(folder, 'outpost.yaml');
  writeFileSync(file, stringify({ projects: [{ slug: 'p', name: 'P', servers }], discord: { alerts } }));
  vi.stubEnv('OUTPOST_CONFIG', file);
  vi.stubEnv('OUTPOST_DATA', join(folder, 'data'));
  const { out } = await outpost('check-config');
  expect(out).toContain('server bare has no logs, so it is not known who comes on');
});
