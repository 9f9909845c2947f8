import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createServiceMetrics } from '../../../../src/server/http/metrics/service.ts';
import { configSchema } from '../../../../src/config/schema.ts';
import { createMetrics } from '../../../../src/server/http/metrics/metrics.ts';
import { activeSources } from '../../../../src/server/ingest/follower/sources.ts';
import { addBan } from '../../../../src/server/ingest/bans/by-hand.ts';
import { openWriter, storeFile } from '../../../../src/server/store/engine/database.ts';
import { reconcile } from '../../../../src/server/store/repositories/projects/reconcile.ts';
import { saveServerState } from '../../../harness/server-states.ts';
import { run, steamA, temporaryFolder } from '../../ingest/fixture.ts';
import { createSourceWatch } from '../../../harness/logs.ts';

const now = Date.UTC(2026, 0, 1, 12);

test('metrics of servers, sources, ban files and posts, each series once and without a path or name', async () => {
  const folder = temporaryFolder();
  const writer = await openWriter(storeFile(folder));
  onTestFinished(() => writer.close());
  const { db } = writer;
  const config = configSchema.parse({
    projects: [
      {
        slug: 'p',
        name: 'Secret "Society"',
        servers: [
          { id: 'up', name: 'Up', host: '127.0.0.1', port: 1, logs: folder },
          { id: 'down', name: 'Down', host: '127.0.0.1', port: 2, playersDb: join(folder, 'gone.db') },
          { id: 'unknown', name: 'Unknown', host: '127.0.0.1', port: 3 },
          { id: 'off', name: 'Off', host: '127.0.0.1', port: 4, active: false },
        ],
        banlists: [
          {
            id: 'b',
            name: 'B',
            sources: ['one', 'two'].map((name) => ({
              file: join(folder, name, 'bans.txt'),
              format: 'battleye',
            })),
          },
        ],
      },
    ],
  });
  await reconcile(db, config);
  const state = { map: 'chernarusplus', players: 12, maxPlayers: 60, checkedAt: now - 20_000 };
  await saveServerState(db, 'up', { ...state, status: 'ONLINE' });
  await saveServerState(db, 'down', { ...state, status: 'OFFLINE', players: null, checkedAt: now - 5_000 });
  writeFileSync(join(folder, 'x.ADM'), run('12:00:30 | nobody knows this line'));
  await addBan(db, {
    listId: 'b',
    player: { kind: 'steamId64', value: steamA },
    category: 'CHEATING',
    reason: 'x',
    expiresAt: null,
  });
  const watch = createSourceWatch(db);
  await watch.importChanged(activeSources(config));

  const metrics = createMetrics();
  const posts = [
    { kind: 'status', state: 'shown' },
    { kind: 'status', state: 'shown' },
    { kind: 'leaderboard', state: 'failing' },
  ] as const;
  metrics.collect(
    createServiceMetrics({
      db,
      sources: () => activeSources(config).files,
      posts: () => posts,
      gateway: () => ({ isConnected: true, guilds: 3, latencyMs: 42 }),
      now: () => now,
    }),
  );
  const text = await metrics.text();
  const series = text.split('\n').filter((line) => line.startsWith('outpost_') && !line.includes('http'));
  expect(series).toEqual(
    expect.arrayContaining([
      'outpost_server_up{server="up"} 1',
      'outpost_discord_up 1',
      'outpost_discord_guilds 3',
      'outpost_discord_latency_seconds 0.042',
      'outpost_server_up{server="down"} 0',
      'outpost_server_players{server="up"} 12',
      'outpost_server_max_players{server="down"} 60',
      'outpost_server_check_age_seconds{server="up"} 20',
      'outpost_server_check_age_seconds{server="down"} 5',
      'outpost_source_failed{kind="logs",id="up",index="0"} 0',
      'outpost_source_failed{kind="playersDb",id="down",index="0"} 1',
      'outpost_source_failed{kind="bans",id="b",index="0"} 1',
      'outpost_source_failed{kind="bans",id="b",index="1"} 1',
      'outpost_source_lines{kind="logs",id="up",index="0"} 5',
      'outpost_source_unread_lines{kind="logs",id="up",index="0"} 1',
      'outpost_posts{kind="status",state="shown"} 2',
      'outpost_posts{kind="leaderboard",state="failing"} 1',
    ]),
  );
  const names = series.map((line) => line.slice(0, line.lastIndexOf(' ')));
  expect(new Set(names).size).toBe(names.length);
  expect(text).not.toMatch(/"unknown"|"off"|Society|bans\.txt|x\.ADM/);
});

test('a ban file on another machine that cannot be reached counts as failed', async () => {
  const writer = await openWriter(storeFile(temporaryFolder()));
  onTestFinished(() => writer.close());
  const { db } = writer;
  const files = { type: 'sftp', host: '127.0.0.1', port: 9, username: 'u', password: { env: 'P' } };
  const config = configSchema.parse({
    projects: [
      {
        slug: 'p',
        name: 'P',
        servers: [{ id: 's', name: 'S', host: '127.0.0.1', port: 1, files }],
        banlists: [
          { id: 'b', name: 'B', sources: [{ file: '/bans.txt', format: 'battleye', filesOf: 's' }] },
        ],
      },
    ],
  });
  await reconcile(db, config);
  const watch = createSourceWatch(db);
  await watch.importChanged(activeSources(config));
  const metrics = createMetrics();
  const none = { posts: () => [], gateway: () => null };
  metrics.collect(
    createServiceMetrics({ db, sources: () => activeSources(config).files, ...none, now: () => now }),
  );
  expect(await metrics.text()).toContain('outpost_source_failed{kind="bans",id="b",index="0"} 1');
});

test('what cannot be read is left out, and the rest is served', async () => {
  const metrics = createMetrics();
  metrics.gauge('outpost_tokens', 'Tokens in memory.', () => 3);
  metrics.collect(async () => [
    { name: 'a', help: 'A.', samples: [{ labels: { b: 'c\\d"e\nf' }, value: 1 }] },
  ]);
  metrics.collect(() => Promise.reject(new Error('database disk image is malformed')));
  const text = await metrics.text();
  expect(text).toContain('outpost_tokens 3');
  expect(text).toContain(String.raw`a{b="c\\d\"e\nf"} 1`);
});
