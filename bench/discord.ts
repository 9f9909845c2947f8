// Measures the bot beside a bare discord.js bot that answers a constant of the same bytes: INTERACTION_CREATE to the
// callback's last byte, one interaction after the other, the bots in turn; then the memory of the processes. The bot runs
// twice: inside `outpost start` with the service, and alone with that service elsewhere, which is what its memory can be
// compared by. Each bot runs on one core, the local Discord on the other. Figures of one machine at one moment: the ratios
// mean something. Linux only (taskset, /proc). Arguments: rounds (5), interactions a round and command (340).
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { REST, Routes } from 'discord.js';
import { stringify } from 'yaml';
import type { ConfigInput } from '../src/config/schema.ts';
import { startLocalDiscord, type LocalDiscord } from 'local-discord';
import { storeFile } from '../src/server/store/engine/database.ts';
import { northwood } from '../test/harness/northwood.ts';
import { median, quantile } from './latency.ts';
import { residentMegabytes } from './process-usage.ts';
import { addApplication, newCredentials, openStore, type Credentials } from './store.ts';

const rounds = Number(process.argv[2] ?? 5);
const perRound = Number(process.argv[3] ?? 340);
const goals = { time: 1.5, memory: 1.3 };
const token = 'local-bench-token';
const guildId = '1100000000000000100';
const channelId = '1100000000000000200';
const botCore = '0';
const ownCore = '1';
/** Interactions so far. */
let asked = 0;

interface Bot {
  name: 'outpost' | 'alone' | 'bare';
  discord: LocalDiscord;
  pid: number;
  /** What it has printed. */
  said: () => string;
}

const root = fileURLToPath(new URL('..', import.meta.url));

interface HotCommand {
  commandName: string;
  options: Record<string, string>;
}

const hot: HotCommand[] = [
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
  const { id, secret } = await createApplicationForBot();
  const outpost = await start('outpost', [join(root, 'dist/main.js'), 'start']);
  const url = /service listens at (http:[^"\s]+)/.exec(outpost.said())?.[1] ?? '';
  const alone = await start('alone', [...bench('bot-alone.ts'), url, id, secret]);
  await until(() => [outpost, alone].every(({ discord }) => discord.commands().length > 0));

  const { message } = await ask(outpost, hot[0] as HotCommand);
  const constant = join(folder, 'constant.json');
  await writeFile(constant, JSON.stringify({ embeds: message?.embeds, components: message?.components }));
  const bare = await start('bare', [...bench('bare-bot.ts'), constant]);
  await register(outpost.discord, bare.discord);

  console.log(`${rounds} rounds of ${perRound} interactions each, Node ${process.version}`);
  const bots = [outpost, alone, bare];
  for (const command of hot) reportTimes(command, await measure(bots, command));
  const interactions = hot.length * (rounds + 1) * perRound;
  console.log(`memory after ${interactions} interactions:`);
  const bareMiB = residentMegabytes(bare.pid);
  for (const { name, pid } of bots) {
    const own = residentMegabytes(pid);
    console.log(
      `  ${name.padEnd(8)} ${own.toFixed(0)} MiB: ${(own / bareMiB).toFixed(2)}×${goalOf(name, goals.memory)}`,
    );
  }
}

/** Milliseconds of each round, by bot. */
type Times = Map<Bot['name'], number[][]>;

/** The bots take turns at every single interaction, so that whatever else the machine does meets all of them. */
async function measure(bots: readonly Bot[], command: HotCommand): Promise<Times> {
  const times: Times = new Map(bots.map(({ name }) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    const taken = new Map<Bot['name'], number[]>(bots.map(({ name }) => [name, []]));
    for (let index = 0; index < perRound; index += 1) {
      for (const bot of bots) taken.get(bot.name)?.push((await ask(bot, command)).ms);
    }
    // The first round warms up.
    if (round > 0) for (const { name } of bots) times.get(name)?.push(taken.get(name) ?? []);
  }
  return times;
}

async function ask(bot: Bot, command: HotCommand) {
  // Another member each time: the bot bounds what one may ask.
  asked += 1;
  const user = { id: String(1_100_000_000_000_000_301n + BigInt(asked)), username: 'mira' };
  const startedAt = performance.now();
  const { message, deferred } = await bot.discord.invoke({ guildId, channelId, user, ...command });
  const ms = performance.now() - startedAt;
  // What is not at hand is asked for once in a while; that is measured, too.
  if (deferred) throw new Error(`/${command.commandName} of ${bot.name} was deferred: it is not hot`);
  return { ms, message };
}

async function createApplicationForBot(): Promise<Credentials> {
  const writer = await openStore(storeFile(join(folder, 'data')), northwood());
  const credentials = newCredentials();
  await addApplication(writer.db, credentials);
  await writer.close();
  return credentials;
}

function bench(file: string): string[] {
  return ['--import', 'tsx', join(root, 'bench', file)];
}

async function start(name: Bot['name'], args: string[]): Promise<Bot> {
  const discord = await startLocalDiscord({
    token,
    guilds: [{ id: guildId, name: 'Northwood', channels: [{ id: channelId, name: 'general' }] }],
  });
  ends.push(() => discord.close());
  const child: ChildProcess = spawn('taskset', ['-c', botCore, process.execPath, ...args], {
    cwd: root,
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
  return { name, discord, pid: child.pid as number, said: () => said };
}

/** Gives the bare bot the commands that Outpost has registered. */
async function register(from: LocalDiscord, to: LocalDiscord): Promise<void> {
  const rest = new REST({ version: '10', api: to.apiUrl }).setToken(token);
  const body = from.commands().map(({ name, description, options }) => ({ name, description, options }));
  await rest.put(Routes.applicationCommands(to.applicationId), { body });
}

function reportTimes({ commandName }: HotCommand, times: Times): void {
  for (const share of [0.5, 0.99]) {
    const of = (name: Bot['name']): number[] =>
      (times.get(name) ?? []).map((taken) => quantile(taken, share));
    const bare = of('bare');
    console.log(`/${commandName} p${share * 100}: bare ${median(bare).toFixed(2)} ms`);
    for (const name of ['outpost', 'alone'] as const) {
      const ratios = of(name).map((ms, round) => ms / (bare[round] ?? Number.NaN));
      const each = ratios.map((one) => one.toFixed(2)).join(' ');
      console.log(
        `  ${name.padEnd(8)} ${median(of(name)).toFixed(2)} ms: ${median(ratios).toFixed(2)}×${goalOf(name, goals.time)}; rounds ${each}`,
      );
    }
  }
}

function goalOf(name: Bot['name'], goal: number): string {
  return name === 'alone' ? ` (goal ${goal}×)` : '';
}

async function until(met: () => boolean): Promise<void> {
  while (!met()) await new Promise((resolve) => setTimeout(resolve, 20));
}
