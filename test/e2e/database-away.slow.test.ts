import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type LocalDiscord, startLocalDiscord } from 'local-discord';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startSimulatedGameServer, type SimulatedGameServer } from '../../src/demo/game-server.ts';
import { openWriter, type WriteDatabase } from '../../src/server/store/engine/database.ts';
import { northwood, steamIds, storeAnn } from '../harness/northwood.ts';
import {
  expectOnly503,
  type LoadedProcesses,
  print,
  readyWithinMs,
  startLoaded,
  summary,
} from './loaded-processes.ts';

/** How long PostgreSQL is away. The requirement is ten; one shows the same. */
const minutes = Number(process.env['OUTAGE_MINUTES'] ?? 1);
const roles = ['api', 'api,poll,follow', 'bot', 'bot'];
/** Warnings and errors of a process: when it begins, and a few each minute. */
const mostLines = 15 + 3 * minutes;
const mostGrowthMiB = 100;

const token = 'local-bot-token';
const guildId = '1100000000000000001';
const channel = '1100000000000000101';
const lookup = { identifier: steamIds.ann };
const kills = { metric: 'PLAYER_KILLS' };
const isOld = "Couldn't refresh. Last updated <t:";
/** A member may ask as often as this. */
const patience = { interval: 1_000, timeout: 60_000 };

let folder: string;
let log: string;
let game: SimulatedGameServer;
let discord: LocalDiscord;
let loaded: LoadedProcesses;
let lines: number;
let writer: WriteDatabase;
beforeEach(async () => {
  lines = 0;
  folder = await mkdtemp(join(tmpdir(), 'outpost-away-'));
  const logs = join(folder, 'logs');
  await mkdir(logs);
  log = join(logs, 'DayZServer_x64.ADM');
  await appendFile(log, 'AdminLog started on 2024-05-01 at 12:00:00\n');
  game = await startSimulatedGameServer({ name: 'N', map: 'chernarusplus', maxPlayers: 60, players: 20 });
  discord = await startLocalDiscord({
    token,
    guilds: [{ id: guildId, name: 'G', channels: [{ id: channel, name: 'status' }] }],
    acknowledgeWithinMs: 60_000,
  });
  const server = { host: '127.0.0.1', port: 2302, queryPort: game.port, timezone: 'Europe/Berlin', logs };
  const { projects } = northwood({
    servers: [{ id: 'northwood-1', name: 'Northwood | Chernarus', ...server }],
  });
  const statusPosts = [
    { channelId: channel, cron: '*/5 * * * * *', servers: ['northwood-1'], chart: 'none' as const },
  ];
  loaded = await startLoaded({
    config: {
      live: { pollSeconds: 5 },
      projects: projects.slice(0, 1).map((project) => ({ ...project, banlists: [] })),
      discord: { guilds: [{ id: guildId, project: 'northwood' }], statusPosts },
    },
    roles,
    environment: { DISCORD_TOKEN: token, DISCORD_API_URL: discord.apiUrl },
    perSecond: 20,
  });
  writer = await openWriter(loaded.url);
  await storeAnn(writer.db, 'northwood');
});
afterEach(async () => {
  await writer.close();
  await loaded.close();
  await discord.close();
  await game.close();
  await rm(folder, { recursive: true, force: true });
});

let asked = 0;
async function use(commandName: string, options: Record<string, string> = {}): Promise<string> {
  const id = String(1100000000000010000n + BigInt((asked += 1)));
  const user = { id, username: 'mira', permissions: (1n << 5n) | (1n << 2n) | (1n << 11n) };
  const { message } = await discord.invoke({ guildId, channelId: channel, user, commandName, options });
  return JSON.stringify(message ? [message.embeds, message.components, message.attachments] : null);
}
const posts = () => discord.messages(channel).filter(({ interaction }) => interaction === null);

async function writeLine(): Promise<void> {
  const n = (lines += 1);
  const at = new Date(Date.UTC(2024, 4, 1, 12) + n * 1_000).toISOString().slice(11, 19);
  const id = String(n).padStart(43, 'A');
  await appendFile(log, `${at} | Player "P${n}"(id=${id}=) is connected\n`);
}
const playersFromLog = async (): Promise<number> => {
  const { count } = await writer.db
    .selectFrom('player')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('dayz_id', 'like', 'A%')
    .executeTakeFirstOrThrow();
  return count;
};

/** The resident memory of each process. */
const memoryMiB = (): number[] =>
  loaded.running.map(({ pid }) =>
    Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024),
  );

it(`answers members for ${minutes} minutes without PostgreSQL, and loses nothing`, async () => {
  const { server, load } = loaded;
  await expect.poll(() => posts().length).toBe(1);
  await expect.poll(() => JSON.stringify(posts())).toContain('20 / 60');
  const post = posts()[0]?.id;
  await writeLine();
  await expect.poll(playersFromLog).toBe(1);
  for (const [command, options] of [
    ['status', {}],
    ['top', kills],
    ['lookup', lookup],
  ] as const) {
    await expect.poll(() => use(command, options), patience).not.toContain(isOld);
    expect(await use(command, options)).toContain('Northwood');
  }
  const { identifies } = discord.gateway;
  const logs = loaded.logsFromNow();
  const memoryBefore = memoryMiB();
  const begunAt = performance.now();
  const endsAt = begunAt + minutes * 60_000;

  await server.stop();
  const memory: number[][] = [];
  while (performance.now() < endsAt) {
    const nextAt = Math.min(endsAt, performance.now() + 60_000);
    for (let n = 0; n < 20; n += 1) await writeLine();
    // An answer is new for some seconds.
    await expect.poll(() => use('status'), patience).toContain(isOld);
    expect(await use('status')).toContain('Northwood | Chernarus');
    await expect.poll(() => use('top', kills), patience).toContain(isOld);
    await expect.poll(() => use('lookup', lookup), patience).toContain(isOld);
    expect(await use('lookup', lookup)).toContain('Ann');
    // What it never knew.
    expect(await use('lookup', { identifier: `nobody ${lines}` })).toContain("isn't responding. Try again");
    expect(await loaded.readiness()).toEqual([503, 503]);
    await delay(Math.max(0, nextAt - performance.now()));
    memory.push(memoryMiB());
  }
  expect(posts().map(({ id }) => id)).toEqual([post]);
  expect(discord.gateway).toMatchObject({ shards: [0], identifies });

  await server.start();
  const readyMs = await loaded.untilReady();
  await expect.poll(playersFromLog).toBe(lines);
  const { size } = await stat(log);
  const position = await writer.db.selectFrom('log_file').select('position').execute();
  expect(position).toEqual([{ position: size }]);
  await writer.db.updateTable('server').set({ name: 'Renamed' }).where('id', '=', 'northwood-1').execute();
  for (const [command, options] of [
    ['status', {}],
    ['top', kills],
    ['lookup', lookup],
  ] as const) {
    await expect.poll(() => use(command, options), patience).not.toContain(isOld);
  }
  await expect.poll(() => use('status'), patience).toContain('Renamed');
  await expect.poll(() => JSON.stringify(posts())).toContain('Renamed');
  expect(posts().map(({ id }) => id)).toEqual([post]);
  expect(discord.gateway).toMatchObject({ shards: [0], identifies });
  expect(await loaded.tryTokens()).toEqual(new Set([200]));

  const answers = load.since(begunAt);
  const memoryAfter = memoryMiB();
  const written = logs.map((read) => read());
  const serious = written.map((own) => own.filter(({ level }) => level !== 'info'));
  print(
    [
      `away for ${minutes} minutes: ${summary(answers)}; ready after ${Math.round(readyMs)} ms`,
      `lines of the admin log written meanwhile: ${lines - 1}, all read`,
      `MiB of ${roles.join(' | ')}: before ${memoryBefore.join(', ')}; most ${roles
        .map((_, index) => Math.max(...memory.map((all) => all[index] ?? 0)))
        .join(', ')}; after ${memoryAfter.join(', ')}`,
      `lines logged: ${written.map(({ length }) => length).join(', ')}; warnings and errors: ${serious.map(({ length }) => length).join(', ')}`,
      ...serious.map((own, index) => `${roles[index]}: ${countsOf(own.map(({ msg }) => msg))}`),
    ].join('\n'),
  );
  expect(readyMs).toBeLessThan(readyWithinMs);
  expectOnly503(answers, load.failures);
  for (const own of serious) expect(own.length).toBeLessThan(mostLines);
  for (const [index, before] of memoryBefore.entries()) {
    expect((memoryAfter[index] ?? 0) - before).toBeLessThan(mostGrowthMiB);
  }
});

function countsOf(messages: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const message of messages) counts.set(message, (counts.get(message) ?? 0) + 1);
  return [...counts].map(([message, count]) => `${count} × ${message}`).join('; ');
}
