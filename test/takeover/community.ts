import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startLocalDiscord, type LocalDiscord } from 'local-discord';
import { type SimulatedGameServer, startSimulatedGameServer } from '../../src/demo/game-server.ts';
import type { ConfigInput } from '../../src/config/schema.ts';
import { createGrowingLog, type GrowingLog } from '../following/growing-log.ts';
import { createKillLog, type KillLog } from '../following/kill-log.ts';

export const token = 'local-bot-token';

/** A guild and its channels. */
export interface TestGuild {
  id: string;
  status: string;
  alerts: string;
  kills: string;
}

export const guilds: readonly TestGuild[] = [1n, 2n].map((number) => {
  const id = 1_100_000_000_000_000_000n + number * 1_000n;
  const channel = (n: bigint): string => String(id + 100n + n);
  return { id: String(id), status: channel(1n), alerts: channel(2n), kills: channel(3n) };
});

/** Two game servers with logs, a ban list, and a Discord with two guilds: what the processes work for. */
export interface Community {
  config: ConfigInput;
  discord: LocalDiscord;
  /** The server whose players and outages cause alerts. */
  game: SimulatedGameServer;
  /** Real logs, in pieces; they say nothing of now. */
  log: GrowingLog;
  logFolder: string;
  /** Kills that happen now, for the kill feeds. */
  killLog: KillLog;
  /** Goes on until `live` is aborted: lines of logs, kills and bans. */
  grow(live: AbortSignal): Promise<void>;
  /** How many bans there are. */
  bans(): number;
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
  const [other, game] = games as [SimulatedGameServer, SimulatedGameServer];
  const discord = await startLocalDiscord({
    token,
    // The bot waits after crashes, by the number of logins that Discord allows.
    sessionStarts: 1_000_000,
    guilds: guilds.map(({ id, status, alerts, kills }) => ({
      id,
      name: `Guild ${id}`,
      channels: Object.entries({ status, alerts, kills }).map(([name, channel]) => ({ id: channel, name })),
    })),
    messageLimits: { perChannel: { count: 5, windowMs: 5_000 } },
  });
  const inEach = <T>(placed: (guild: TestGuild) => T): T[] => guilds.map(placed);
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
              queryPort: other.port,
              timezone: 'Europe/Berlin',
              logs: logFolder,
            },
            {
              id: 's',
              name: 'S',
              host: '127.0.0.1',
              port: 2402,
              queryPort: game.port,
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
        guilds: inEach(({ id }) => ({ id })),
        statusPosts: inEach(({ status }) => ({
          channelId: status,
          cron: '*/10 * * * * *',
          servers: ['b', 's'],
          chart: 'none' as const,
        })),
        alerts: inEach(({ alerts }) => ({
          channelId: alerts,
          servers: ['s'],
          down: { afterMinutes: 1 },
          players: { atLeast: 20, cooldownMinutes: 1 },
        })),
        killFeeds: inEach(({ kills }) => ({ channelId: kills, servers: ['s'], maxAgeMinutes: 120 })),
      },
    },
    discord,
    game,
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
    async close() {
      await discord.close();
      await Promise.all(games.map((each) => each.close()));
    },
  };
}
