import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLocalDiscord, type LocalDiscord } from 'local-discord';
import { startSimulatedGameServer } from '../../src/demo/game-server.ts';
import type { ConfigInput } from '../../src/config/schema.ts';
import { createGrowingLog, type GrowingLog } from '../following/growing-log.ts';
import { createKillLog, type KillLog } from '../following/kill-log.ts';

export const token = 'local-bot-token';

const guildId = '1100000000000001000';
const statusChannel = '1100000000000001101';
const killChannel = '1100000000000001102';
/** What may be sent there is under test. */
export const channelPaths = [statusChannel, killChannel].map((id) => `/channels/${id}/messages`);

/** Two game servers with logs, a ban list, and a Discord: what the processes work for. */
export interface Community {
  config: ConfigInput;
  discord: LocalDiscord;
  /** Real logs, in pieces; they say nothing of now. */
  log: GrowingLog;
  logFolder: string;
  /** Kills that happen now, for the kill feeds. */
  killLog: KillLog;
  /** Goes on until `live` is aborted: lines of logs, kills and bans. */
  grow(live: AbortSignal): Promise<void>;
  /** How many bans there are. */
  bans(): number;
  /** Whether something stands in every channel. */
  hasPosts(): boolean;
  statusPosts(): number;
  /** The victims that the kill feed's messages name, in their order. */
  posted(): string[];
  close(): Promise<void>;
}

const growEveryMs = 700;
const killShare = 0.4;
const banShare = 0.05;

/** @param pieces into how many the logs are cut */
export async function createCommunity(
  folder: string,
  pieces: number,
  random: () => number,
): Promise<Community> {
  const logFolder = join(folder, 'logs');
  await mkdir(logFolder);
  const log = await createGrowingLog(logFolder, pieces, random);
  const killLog = createKillLog(join(folder, 'kills'));
  const banFolder = join(folder, 'bans');
  await mkdir(banFolder);
  const banFile = join(banFolder, 'ban.txt');
  await writeFile(banFile, '');
  let bans = 0;
  const games = await Promise.all(
    ['B', 'S'].map(async (name) =>
      startSimulatedGameServer({ name, map: 'enoch', maxPlayers: 60, players: 5 }),
    ),
  );
  const [portOfB, portOfS] = games.map(({ port }) => port);
  const discord = await startLocalDiscord({
    token,
    // More than the logins of a day, which discord.js does not exceed.
    sessionStarts: 1_000_000,
    guilds: [
      {
        id: guildId,
        name: 'Guild',
        channels: [
          { id: statusChannel, name: 'status' },
          { id: killChannel, name: 'kills' },
        ],
      },
    ],
    messageLimits: { perChannel: { count: 5, windowMs: 5_000 } },
  });
  return {
    config: {
      live: { pollSeconds: 2 },
      projects: [
        {
          slug: 'p',
          name: 'P',
          killsKept: '99y',
          killPositions: true,
          servers: [
            {
              id: 'b',
              name: 'B',
              host: '127.0.0.1',
              port: 2302,
              queryPort: portOfB,
              timezone: 'Europe/Berlin',
              logs: logFolder,
            },
            {
              id: 's',
              name: 'S',
              host: '127.0.0.1',
              port: 2402,
              queryPort: portOfS,
              timezone: 'UTC',
              logs: killLog.folder,
            },
          ],
          banlists: [
            { id: 'p-bans', name: 'Bans', public: true, sources: [{ file: banFile, format: 'dayz' }] },
          ],
        },
      ],
      discord: {
        locale: 'en-US',
        guilds: [{ id: guildId }],
        statusPosts: [
          { channelId: statusChannel, cron: '*/10 * * * * *', servers: ['b', 's'], chart: 'none' },
        ],
        killFeeds: [{ channelId: killChannel, servers: ['s'], maxAgeMinutes: 120 }],
      },
    },
    discord,
    log,
    logFolder,
    killLog,
    async grow(live) {
      while (!live.aborted) {
        await log.grow(1);
        if (random() < killShare) killLog.kill();
        if (random() < banShare) {
          bans += 1;
          await appendFile(banFile, `${76_561_202_300_000_000n + BigInt(bans)}\n`);
        }
        await sleep(growEveryMs * 2 * random());
      }
    },
    bans: () => bans,
    hasPosts: () => [statusChannel, killChannel].every((id) => discord.messages(id).length > 0),
    statusPosts: () => discord.messages(statusChannel).length,
    posted: () =>
      discord
        .messages(killChannel)
        .flatMap(({ embeds }) => [...(embeds[0]?.description ?? '').matchAll(/\*\*(v\d+)\*\*/g)])
        .map(([, name = '']) => name),
    async close() {
      await discord.close();
      await Promise.all(games.map((each) => each.close()));
    },
  };
}
