// Measures the bot, as `outpost start` runs it, beside a bare discord.js bot that answers a constant of the same bytes:
// INTERACTION_CREATE to the callback's last byte, one interaction after the other, rounds in turn; then the memory of both
// processes. Each bot runs on one core, the local Discord on the other. Figures of one machine at one moment: the ratios
// mean something. Linux only (taskset, /proc). Arguments: rounds (6), interactions a round (500).
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { REST, Routes } from 'discord.js';
import { stringify } from 'yaml';
import type { ConfigInput } from '../src/config-schema.ts';
import { startLocalDiscord, type LocalDiscord } from '../src/demo/discord/local-discord.ts';
import { northwood } from '../test/harness/northwood.ts';

const rounds = Number(process.argv[2] ?? 6);
const perRound = Number(process.argv[3] ?? 500);
const goals = { time: 1.5, memory: 1.3 };
const token = 'local-bench-token';
const guildId = '1100000000000000100';
const channelId = '1100000000000000200';
const botCore = '0';
const ownCore = '1';

interface Bot {
  name: 'outpost' | 'bare';
  discord: LocalDiscord;
  pid: number;
}

const hot = [
  { commandName: 'status', options: {} },
  { commandName: 'schedule', options: {} },
  { commandName: 'top', options: { metric: 'PLAYER_KILLS' } },
];

const folder = await mkdtemp(join(tmpdir(), 'outpost-bench-'));
const ends: (() => Promise<unknown> | void)[] = [
  () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
];
try {
  await run();
} finally {
  for (const end of ends.toReversed()) await end();
}

async function run(): Promise<void> {
  spawn('taskset', ['-cp', ownCore, String(process.pid)], { stdio: 'ignore' });
  const config: ConfigInput = { ...northwood(), discord: { project: 'northwood' }, http: { port: 0 } };
  await writeFile(join(folder, 'outpost.yaml'), stringify(config));
  const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  const outpost = await start('outpost', [main, 'start']);
  await until(() => outpost.discord.commands().length > 0);

  const [answer] = await measure(outpost, hot[0] as (typeof hot)[number], 1);
  const { embeds, components } = answer?.message ?? {};
  const constant = join(folder, 'constant.json');
  await writeFile(constant, JSON.stringify({ embeds, components }));
  const script = fileURLToPath(new URL('./bare-bot.ts', import.meta.url));
  const bare = await start('bare', ['--import', 'tsx', script, constant]);
  await register(outpost.discord, bare.discord);

  console.log(`${rounds} rounds of ${perRound} interactions each, Node ${process.version}`);
  const bots = [outpost, bare];
  for (const command of hot) {
    const times = new Map<string, number[][]>(bots.map(({ name }) => [name, []]));
    for (let round = 0; round <= rounds; round += 1) {
      for (const bot of bots) {
        const taken = (await measure(bot, command, perRound)).map(({ ms }) => ms);
        // The first round warms up.
        if (round > 0) times.get(bot.name)?.push(taken);
      }
    }
    reportTimes(command.commandName, times.get('outpost') ?? [], times.get('bare') ?? []);
  }
  const [own = 0, other = 0] = await Promise.all(bots.map(({ pid }) => residentMiB(pid)));
  const interactions = hot.length * (rounds + 1) * perRound;
  console.log(
    `memory after ${interactions} interactions: ${own.toFixed(0)} MiB, bare ${other.toFixed(0)} MiB: ${ratio(own, other, goals.memory)}`,
  );
}

async function start(name: Bot['name'], args: string[]): Promise<Bot> {
  const discord = await startLocalDiscord({
    token,
    guilds: [{ id: guildId, name: 'Northwood', channels: [{ id: channelId, name: 'general' }] }],
  });
  ends.push(() => discord.close());
  const child: ChildProcess = spawn('taskset', ['-c', botCore, process.execPath, ...args], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: {
      PATH: process.env['PATH'],
      OUTPOST_CONFIG: join(folder, 'outpost.yaml'),
      OUTPOST_DATA: join(folder, 'data'),
      NODE_ENV: 'production',
      DISCORD_TOKEN: token,
      DISCORD_API_URL: discord.apiUrl,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  ends.push(async () => {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('close', resolve));
  });
  let said = '';
  child.stdout?.on('data', (data) => (said += said.length < 100_000 ? String(data) : ''));
  await until(() => said.includes('the bot is online'));
  return { name, discord, pid: child.pid as number };
}

/** Gives the bare bot the commands that Outpost has registered. */
async function register(from: LocalDiscord, to: LocalDiscord): Promise<void> {
  const rest = new REST({ version: '10', api: to.apiUrl }).setToken(token);
  const body = from.commands().map(({ name, description, options }) => ({ name, description, options }));
  await rest.put(Routes.applicationCommands(to.applicationId), { body });
}

async function measure(bot: Bot, command: (typeof hot)[number], times: number) {
  const user = { id: '1100000000000000301', username: 'mira' };
  const samples = [];
  for (let index = 0; index < times; index += 1) {
    const startedAt = performance.now();
    const answer = await bot.discord.invoke({ guildId, channelId, user, ...command });
    samples.push({ ms: performance.now() - startedAt, message: answer.message });
    if (answer.deferred) throw new Error(`/${command.commandName} was deferred: it is not hot`);
  }
  return samples;
}

function reportTimes(name: string, own: readonly number[][], other: readonly number[][]): void {
  for (const share of [0.5, 0.99]) {
    const mine = median(own.map((times) => quantile(times, share)));
    const bare = median(other.map((times) => quantile(times, share)));
    const each = own.map((times, round) => quantile(times, share) / quantile(other[round] ?? [], share));
    console.log(
      `/${name.padEnd(9)} p${share * 100}: ${mine.toFixed(2)} ms, bare ${bare.toFixed(2)} ms: ${ratio(mine, bare, goals.time)}; rounds ${each.map((one) => one.toFixed(2)).join(' ')}`,
    );
  }
}

function ratio(mine: number, other: number, goal: number): string {
  return `${(mine / other).toFixed(2)}× (goal ${goal}×)`;
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.ceil(share * values.length) - 1] ?? Number.NaN;
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

async function until(met: () => boolean): Promise<void> {
  while (!met()) await new Promise((resolve) => setTimeout(resolve, 20));
}
