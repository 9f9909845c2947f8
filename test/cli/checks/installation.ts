import { copyFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startLocalDiscord, type LocalDiscord } from 'local-discord';
import { onTestFinished, vi } from 'vitest';
import { stringify } from 'yaml';
import { deployCommands } from '../../../src/bot/deploy.ts';
import { diagnose } from '../../../src/cli/checks/diagnose.ts';
import { thisMachine, type Machine } from '../../../src/cli/checks/installation.ts';
import type { GroupedFinding } from '../../../src/cli/checks/run-rows.ts';
import type { ConfigInput } from '../../../src/config/schema.ts';
import { startSimulatedGameServer, type SimulatedGameServer } from '../../../src/demo/game-server.ts';
import { findHolder, type Holder } from '../../../src/server/store/engine/folder-lock.ts';

const samples = fileURLToPath(new URL('../../../packages/dayz-files/test/samples/', import.meta.url));
export const token = 'doctor-bot-token';
export const guildId = '1100000000000000001';
export const otherGuildId = '1100000000000000002';
export const channelId = '1100000000000000101';
export const otherChannelId = '1100000000000000102';
export const roleId = '1100000000000000701';
const minuteMs = 60_000;

/** The name of an .RPT that was started then, by a clock in UTC. */
export const reportName = (at: number): string =>
  `DayZServer_x64_${new Date(at).toISOString().slice(0, 19).replace('T', '_').replaceAll(':', '-')}.RPT`;

/** An installation in a folder of its own, in which everything is well until a test changes it. */
export interface Installation {
  folder: string;
  game: SimulatedGameServer;
  discord: LocalDiscord;
  machine: Machine;
  /** Bytes that are free on the disk of the data folder. */
  freeBytes: number;
  /** The service that runs on the data folder; undefined: what the lock says. */
  holder: Holder | 'unknown' | null | undefined;
  /** The config; `save` writes it. */
  config: ConfigInput;
  path(name: string): string;
  write(name: string, content: string | Buffer): string;
  /** Sets when a file was changed. */
  touch(name: string, at: number): void;
  /** Writes a log of the game whose last line is as old, by a clock that is ahead of UTC by `offsetMinutes`. */
  writeLog(name: string, options?: { ageMinutes?: number; offsetMinutes?: number; lines?: number }): void;
  diagnose(timeoutMs?: number): Promise<GroupedFinding[]>;
}

/** The first server of the config. */
export function serverOf({ config }: Installation) {
  const found = config.projects[0]?.servers?.[0];
  if (found === undefined) throw new Error('the config has a server');
  return found;
}

export const serverDz = (changes: Record<string, string | number> = {}): string => {
  const settings: Record<string, string | number> = {
    hostname: '"[EU] Doctor"',
    steamQueryPort: 27016,
    instanceId: 1,
    adminLogPlayerHitsOnly: 0,
    adminLogPlacement: 1,
    adminLogBuildActions: 1,
    adminLogPlayerList: 1,
    ...changes,
  };
  const { template = 'dayzOffline.chernarusplus', ...others } = settings;
  const lines = Object.entries(others).map(([key, value]) => `${key} = ${value};`);
  return [
    ...lines,
    'class Missions',
    '{',
    ' class DayZ',
    ' {',
    `  template="${template}";`,
    ' };',
    '};',
    '',
  ].join('\r\n');
};

export async function install(): Promise<Installation> {
  // The local Discord's Date header is the real time.
  const now = Date.now();
  const folder = mkdtempSync(join(tmpdir(), 'outpost-doctor-'));
  const game = await startSimulatedGameServer({
    name: 'N',
    map: 'chernarusplus',
    players: 3,
    maxPlayers: 60,
  });
  const channels = (id: string) => [{ id, name: 'status' }];
  const discord = await startLocalDiscord({
    token,
    guilds: [
      {
        id: guildId,
        name: 'Home',
        channels: channels(channelId),
        roles: [{ id: roleId, name: 'Staff', mentionable: true }],
      },
      { id: otherGuildId, name: 'Other', channels: channels(otherChannelId) },
    ],
  });
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await game.close();
    await discord.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const path = (name: string): string => join(folder, name);
  const copies = {
    'game/mpmissions/dayzOffline.chernarusplus/storage_1/players.db': 'server-c/players.db',
    'game/mpmissions/dayzOffline.chernarusplus/db/messages.xml': 'messages/shutdown.xml',
    [`game/profiles/${reportName(now - 90 * minuteMs)}`]: 'server-b/serverconsole.log',
    'bans.txt': 'bans/battleye-dayz.txt',
  };
  for (const [to, from] of Object.entries(copies)) {
    mkdirSync(dirname(path(to)), { recursive: true });
    copyFileSync(join(samples, from), path(to));
  }
  const one: Installation = {
    folder,
    game,
    discord,
    freeBytes: 50 * 1024 ** 3,
    holder: undefined,
    machine: {
      ...thisMachine,
      isContainer: false,
      dotEnvFile: path('.env'),
      freeBytes: async () => one.freeBytes,
      findHolder: (data) => (one.holder === undefined ? findHolder(data) : one.holder),
    },
    config: {
      http: { port: 0 },
      projects: [
        {
          slug: 'p',
          name: 'P',
          servers: [
            {
              id: 's',
              name: 'S',
              host: '127.0.0.1',
              port: 2302,
              queryPort: game.port,
              timezone: 'UTC',
              logs: path('game/profiles'),
              playersDb: path('game/mpmissions/dayzOffline.chernarusplus/storage_1/players.db'),
              schedules: [{ source: 'messages.xml' }],
            },
          ],
          banlists: [{ id: 'b', name: 'B', sources: [{ file: path('bans.txt'), format: 'battleye' }] }],
        },
      ],
      discord: {
        guilds: [{ id: guildId }],
        statusPosts: [{ channelId, servers: ['s'] }],
        alerts: [{ channelId, servers: ['s'], down: { afterMinutes: 5, roleId } }],
        killFeeds: [{ channelId, servers: ['s'] }],
      },
    },
    path,
    write(name, content) {
      mkdirSync(dirname(path(name)), { recursive: true, mode: 0o700 });
      writeFileSync(path(name), content, { mode: 0o600 });
      return path(name);
    },
    touch: (name, at) => utimesSync(path(name), at / 1000, at / 1000),
    writeLog(name, { ageMinutes = 1, offsetMinutes = 0, lines = 1 } = {}) {
      const changedAt = Date.now() - ageMinutes * minuteMs;
      const local = new Date(changedAt + offsetMinutes * minuteMs);
      const start = new Date(local.getTime() - 90 * minuteMs).toISOString();
      const header = `AdminLog started on ${start.slice(0, 10)} at ${start.slice(11, 19)}`;
      const line = `${local.toISOString().slice(11, 19)} | Player "A" (id=z5r1jt0RyoFZA4t6NsB3n_huP5XbiBWQH_fM27rY4HY= pos=<1.0, 2.0, 3.0>) is unconscious`;
      one.write(name, `\n${'*'.repeat(78)}\n${header}\n${`${line}\n`.repeat(lines)}`);
      one.touch(name, changedAt);
    },
    async diagnose(timeoutMs = 60_000) {
      one.write('outpost.yaml', stringify(one.config));
      return await diagnose({ machine: one.machine, timeoutMs });
    },
  };
  one.write('game/serverDZ.cfg', serverDz({ steamQueryPort: game.port }));
  one.writeLog('game/profiles/DayZServer_x64.ADM');
  one.touch(`game/profiles/${reportName(now - 90 * minuteMs)}`, now - minuteMs);
  one.write('.env', `DISCORD_TOKEN=${token}\n`);
  vi.stubEnv('OUTPOST_DATA', path('data'));
  vi.stubEnv('OUTPOST_CONFIG', path('outpost.yaml'));
  vi.stubEnv('DISCORD_TOKEN', token);
  vi.stubEnv('DISCORD_API_URL', discord.apiUrl);
  await deployCommands({ token, apiUrl: discord.apiUrl });
  return one;
}

/** What is not well, as the report shows it. */
export const troubles = (findings: readonly GroupedFinding[]): string[] =>
  findings
    .filter(({ status }) => status !== 'good')
    .map(({ status, key, tried, found, next }) => `${status} ${key} ${tried}: ${found} → ${next}`);
