import { join } from 'node:path';
import { SQLite } from '../../src/server/store/engine/driver.ts';
import { type LocalDiscord, startLocalDiscord } from 'local-discord';
import { expect, it, onTestFinished } from 'vitest';
import { createKillLog } from '../following/kill-log.ts';
import { createWorkplace, type Running } from '../harness/outpost-process.ts';

const kills = '1100000000000000101';
const status = '1100000000000000102';

const posted = (discord: LocalDiscord): string[] =>
  discord
    .messages(kills)
    .flatMap(({ embeds }) => [...(embeds[0]?.description ?? '').matchAll(/\*\*(v\d+)\*\*/g)])
    .map(([, name = '']) => name);

/** Requests that changed or made a message of a channel. */
const writes = (discord: LocalDiscord, channel: string): number =>
  discord.requests.filter(({ method, path }) => method !== 'GET' && path.includes(channel)).length;

function killsIn(dataFolder: string): number {
  const sqlite = new SQLite(join(dataFolder, 'outpost.sqlite'), { readonly: true });
  try {
    return sqlite
      .prepare(
        "SELECT sum(player_kills) FROM player_stats JOIN player USING (project_id) WHERE player.id = player_id AND player.name = 'Killer'",
      )
      .pluck()
      .get() as number;
  } finally {
    sqlite.close();
  }
}

it.each(['the same folder', 'a new folder'])(
  'after a restore into %s nothing is posted again, and every figure is right',
  async (into) => {
    const place = await createWorkplace();
    onTestFinished(() => place.remove());
    const guilds = [
      {
        id: '1100000000000000001',
        name: 'G',
        channels: [
          { id: kills, name: 'kills' },
          { id: status, name: 'status' },
        ],
      },
    ];
    let skippedMs = 0;
    const now = (): number => Date.now() + skippedMs;
    const discord = await startLocalDiscord({ token: 'local-bot-token', guilds, now });
    onTestFinished(() => discord.close());
    const log = createKillLog(join(place.folder, 'logs'));
    await place.configure({
      projects: [
        {
          slug: 'p',
          name: 'P',
          servers: [{ id: 's', name: 'S', host: '127.0.0.1', port: 2302, logs: log.folder }],
        },
      ],
      discord: {
        killFeeds: [{ channelId: kills, servers: ['s'] }],
        statusPosts: [{ channelId: status, servers: ['s'], cron: '* * * * * *' }],
        locale: 'en-US',
        presence: false,
      },
    });
    const start = (): Promise<Running> =>
      place.start({ DISCORD_TOKEN: 'local-bot-token', DISCORD_API_URL: discord.apiUrl });
    let running = await start();
    // What stands in the log when it is found is its past.
    await expect
      .poll(
        () => {
          log.warmUp();
          return discord.messages(kills).length;
        },
        { interval: 1_000 },
      )
      .toBeGreaterThan(0);
    log.kill();
    await expect.poll(() => posted(discord)).toEqual(['v0']);
    await expect.poll(() => discord.messages(status).length).toBe(1);
    const { file } = await place.outpostJson('backup');

    log.kill();
    await expect.poll(() => posted(discord)).toEqual(['v0', 'v1']);
    // A run in a file that the backup does not know.
    log.rotate();
    log.kill();
    await expect.poll(() => posted(discord)).toEqual(['v0', 'v1', 'v2']);
    await running.stop();

    if (into === 'a new folder') place.environment['OUTPOST_DATA'] = join(place.folder, 'new');
    await place.outpostJson('restore', file);
    // Discord forgets nonces, which would hide messages that are sent again.
    skippedMs = 600_000;
    const messages = discord.messages(kills).length;
    const edits = writes(discord, status);
    running = await start();
    await expect.poll(() => writes(discord, status)).toBeGreaterThan(edits);
    // Once the logs are read up to now, deaths are posted again.
    const restored = new SQLite(join(place.environment['OUTPOST_DATA'] ?? '', 'outpost.sqlite'), {
      readonly: true,
    });
    onTestFinished(() => void restored.close());
    await expect.poll(() => restored.prepare('SELECT * FROM log_file').all()).not.toEqual([]);
    log.kill();
    await expect.poll(() => posted(discord)).toContain('v3');
    await running.stop();
    expect(posted(discord)).toEqual(log.died);
    expect(discord.messages(status)).toHaveLength(1);
    expect(discord.messages(kills)).toHaveLength(messages + 1);
    expect(killsIn(place.environment['OUTPOST_DATA'] ?? '')).toBe(log.written());
  },
);
