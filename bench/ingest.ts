// Measures the import of a backlog of admin logs: five million lines, made of the samples with ever new people.
//   speed   `outpost import adm` beside a loop that only splits the same bytes into lines, by turns in one run, each a
//           process of its own; and the importer's peak memory
//   calm    /v1/leaderboards of a running service: idle, while a loop beside it uses as much CPU time as an import, with its
//           priority and nothing else in common, and while an import runs at full speed. What that loop costs requests, two
//           cores do; what an import costs more, its work on the store does
//   follow  the same while the service itself follows that backlog, as finished files and as one file, and its CPU
// Ratios of one run on one machine mean something, the figures themselves do not. Needs a built dist/. Linux only
// (/proc).
//   npm run bench:ingest -- [--lines 5000000] [--rounds 2] [--requests 100 a second] [--only speed|calm|follow] [--main FILE]
import { spawn } from 'node:child_process';
import { appendFileSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { SQLite } from '../src/server/store/engine/driver.ts';
import type { ConfigInput } from '../src/config/schema.ts';
import { storeFile } from '../src/server/store/engine/database.ts';
import { lowPriority } from '../src/process/low-priority.ts';
import { northwood } from '../test/harness/northwood.ts';
import { createWorkplace } from '../test/harness/outpost-process.ts';
import { writeAdminLogs, type WrittenLogs } from './admin-logs.ts';
import { createCaller, quantile } from './latency.ts';
import { familyCpuSeconds } from './process-usage.ts';
import { addApplication, newCredentials, openStore } from './store.ts';

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '5000000' },
    rounds: { type: 'string', default: '2' },
    requests: { type: 'string', default: '100' },
    only: { type: 'string', default: '' },
    main: { type: 'string', default: fileURLToPath(new URL('../dist/main.js', import.meta.url)) },
  },
});
const rounds = Number(values.rounds);
const requestsPerSecond = Number(values.requests);
const goals = { cpuMicroseconds: 5, memoryMiB: 200, calm: 1.7 };
const idleSeconds = 20;
const tickSeconds = 0.01;

const credentials = newCredentials();
const workplace = await createWorkplace();
/** With days of its own for each server of the project. */
const logsOf = (number: number): string => join(workplace.folder, `logs-${number}`);
const logs = logsOf(1);
const write = (number: number): WrittenLogs =>
  writeAdminLogs(logsOf(number), Number(values.lines), 1_000 * number);
try {
  const written = write(1);
  console.log(
    `${written.lines} lines, ${(written.bytes / 2 ** 20).toFixed(0)} MiB, ${written.files} files, Node ${process.version}`,
  );
  const isWanted = (part: string): boolean => values.only === '' || values.only === part;
  if (isWanted('speed')) await measureSpeed(written);
  if (isWanted('calm')) await measureCalm();
  if (isWanted('follow')) await measureFollowed(written);
} finally {
  await workplace.remove();
}

interface Work {
  seconds: number;
  cpuSeconds: number;
  peakMiB: number;
}

async function measureSpeed({ lines }: WrittenLogs): Promise<void> {
  await workplace.configure(config());
  const split = fileURLToPath(new URL('./split-lines.ts', import.meta.url));
  console.log('\nspeed                 lines/s   CPU ns/line   peak MiB');
  const pairs: { wall: number; cpu: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    rmSync(join(workplace.folder, 'data'), { recursive: true, force: true });
    const a = await work(['--import', 'tsx', split, logs]);
    const b = await work([values.main, ...importCommand(1)]);
    for (const [name, { seconds, cpuSeconds, peakMiB }] of [['split', a] as const, ['import', b] as const]) {
      console.log(
        [
          name.padEnd(14),
          (lines / seconds).toFixed(0).padStart(14),
          ((cpuSeconds / lines) * 1e9).toFixed(0).padStart(13),
          peakMiB.toFixed(0).padStart(10),
        ].join(' '),
      );
    }
    pairs.push({ wall: a.seconds / b.seconds, cpu: a.cpuSeconds / b.cpuSeconds });
    if (b.peakMiB > goals.memoryMiB) console.log(`  above ${goals.memoryMiB} MiB`);
    const cpu = (b.cpuSeconds / lines) * 1e6;
    console.log(`  ${cpu.toFixed(2)} µs CPU a line; goal ${goals.cpuMicroseconds}`);
  }
  const ratios = pairs.map(({ wall, cpu }) => `${wall.toFixed(2)} (by CPU time ${cpu.toFixed(2)})`);
  const cores = availableParallelism();
  console.log(`import relative to split on ${cores} cores: ${ratios.join(', ')}`);
}

async function measureCalm(): Promise<void> {
  rmSync(join(workplace.folder, 'data'), { recursive: true, force: true });
  await workplace.configure(config());
  const headers = await register();
  const service = await workplace.start();
  const caller = createCaller(service.url);
  const { token } = await caller.register(credentials);
  caller.use({ ...headers, Authorization: `Bearer ${token}` });
  console.log(`\nleaderboards, ${requestsPerSecond} requests a second     p50    p99   worst ms   requests`);
  // The first gives something to answer with and warms both processes up.
  const firstImport = work([values.main, ...importCommand(1)]);
  reportCalm('(first import)', await until(caller, firstImport));
  const { cpuSeconds } = await firstImport;
  const all: Record<string, number[]> = {};
  for (let round = 0; round < rounds; round += 1) {
    write(2 + round);
    const during: Record<string, () => Promise<unknown>> = {
      idle: async () => await sleep(idleSeconds * 1000),
      'CPU in use': async () => await work(['--eval', burn(cpuSeconds)]),
      'during import': async () => await work([values.main, ...importCommand(2 + round)]),
    };
    for (const [name, other] of Object.entries(during)) {
      const samples = await until(caller, other());
      reportCalm(name, samples);
      (all[name] ??= []).push(...samples);
    }
    rmSync(logsOf(2 + round), { recursive: true });
  }
  caller.close();
  const [idle, ...others] = Object.entries(all).map(
    ([name, samples]) => [name, quantile(samples, 0.99)] as const,
  );
  const ratios = others.map(([name, p99]) => `${name} ${(p99 / (idle?.[1] ?? 0)).toFixed(2)}`);
  console.log(`p99 of all rounds relative to idle: ${ratios.join(', ')}; goal ${goals.calm}`);
}

/** A program that does nothing but use so much CPU time. */
function burn(seconds: number): string {
  const until = `process.cpuUsage().user < ${seconds * 1e6}`;
  return `os.setPriority(${lowPriority}); while (${until}) for (let i = 0; i < 1e6; i += 1);`;
}

async function measureFollowed({ lines, bytes }: WrittenLogs): Promise<void> {
  rmSync(join(workplace.folder, 'data'), { recursive: true, force: true });
  const folderOf = (server: string): string => join(workplace.folder, server);
  const whole = join(workplace.folder, 'whole.ADM');
  const others = logsOf(rounds + 2);
  const { bytes: otherBytes } = write(rounds + 2);
  for (const name of readdirSync(others).toSorted()) appendFileSync(whole, readFileSync(join(others, name)));
  rmSync(others, { recursive: true });
  const backlogs = {
    'finished files': (folder: string) => {
      for (const name of readdirSync(logs)) linkSync(join(logs, name), join(folder, name));
    },
    'one file': (folder: string) => renameSync(whole, join(folder, 'DayZServer_x64.ADM')),
  };
  const servers = Object.keys(backlogs).map((_, index) => `followed-${index + 1}`);
  for (const server of servers) mkdirSync(folderOf(server));
  await workplace.configure(config(servers.map((server) => [server, folderOf(server)])));
  const headers = await register();
  const service = await workplace.start();
  const caller = createCaller(service.url);
  const { token } = await caller.register(credentials);
  caller.use({ ...headers, Authorization: `Bearer ${token}` });
  const store = new SQLite(storeFile(join(workplace.folder, 'data')), { readonly: true });
  const position = store.prepare(
    'SELECT coalesce(sum(position), 0) AS read FROM log_file WHERE server_id = ?',
  );
  const stale = store.prepare('SELECT 1 FROM stale_statistics LIMIT 1');
  console.log('\nleaderboards while a backlog is followed      p50    p99   worst ms   requests');
  for (const [index, [name, put]] of Object.entries(backlogs).entries()) {
    const server = servers[index] as string;
    const idle = await until(caller, sleep(idleSeconds * 1000));
    reportCalm('idle', idle);
    const startedAt = performance.now();
    const before = await familyCpuSeconds(service.pid);
    put(folderOf(server));
    const all = index === 0 ? bytes : otherBytes;
    const isRead = (): boolean =>
      (position.get(server) as { read: number }).read >= all && stale.get() === undefined;
    const reading = (async () => {
      while (!isRead()) await sleep(100);
    })();
    const busy = await until(caller, reading);
    const seconds = (performance.now() - startedAt) / 1000;
    const cpu = (((await familyCpuSeconds(service.pid)) - before) / lines) * 1e6;
    reportCalm(name, busy);
    const ratio = quantile(busy, 0.99) / quantile(idle, 0.99);
    console.log(
      `  ${seconds.toFixed(1)} s, ${cpu.toFixed(2)} µs CPU a line with what answers the requests; ` +
        `p99 relative to idle: ${ratio.toFixed(2)}; goal ${goals.calm}`,
    );
  }
  store.close();
  caller.close();
}

function reportCalm(name: string, samples: readonly number[]): void {
  const figures = [0.5, 0.99, 1].map((share) => quantile(samples, share).toFixed(2).padStart(7));
  console.log(`${name.padEnd(38)} ${figures.join(' ')} ${String(samples.length).padStart(13)}`);
}

/** Asks at a steady pace, without making up for what came late, until something else has ended; milliseconds. */
async function until(caller: ReturnType<typeof createCaller>, other: Promise<unknown>): Promise<number[]> {
  const samples: number[] = [];
  const ended = other.then(() => true);
  do samples.push(await caller.time('/v1/leaderboards?limit=25'));
  while (!(await Promise.race([ended, sleep(1000 / requestsPerSecond)])));
  return samples;
}

function importCommand(number: number): string[] {
  return ['import', 'adm', '--server', `northwood-${number}`, logsOf(number)];
}

/** Runs Node. @throws when it fails */
async function work(args: readonly string[]): Promise<Work> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: workplace.environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (data) => (said = (said + String(data)).slice(-2000)));
  const figures = { cpuSeconds: 0, peakMiB: 0 };
  const timer = setInterval(() => watch(child.pid as number, figures), 50);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearInterval(timer);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}: ${said}`);
  return { seconds: (performance.now() - startedAt) / 1000, ...figures };
}

function watch(pid: number, figures: { cpuSeconds: number; peakMiB: number }): void {
  try {
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    if (peak !== undefined) figures.peakMiB = Math.max(figures.peakMiB, Number(peak) / 1024);
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    figures.cpuSeconds = (Number(fields[11]) + Number(fields[12])) * tickSeconds;
  } catch {
    // It has ended.
  }
}

/** A project with a server for each import and for each backlog that is followed, and an application that may ask without end. */
function config(followed: [id: string, logs: string][] = []): ConfigInput {
  const imported = Array.from({ length: rounds + 1 }, (_, index) => [`northwood-${index + 1}`] as const);
  const servers = [...imported, ...followed].map(([id, logs]) => ({
    id,
    name: id,
    host: '127.0.0.1',
    port: 2302,
    timezone: 'Europe/Berlin',
    ...(logs !== undefined && { logs }),
  }));
  const applications = [{ id: credentials.id, requestsPerMinute: 1_000_000 }];
  return northwood({ servers, banlists: [], applications });
}

async function register(): Promise<Record<string, string>> {
  const writer = await openStore(storeFile(join(workplace.folder, 'data')), config());
  await addApplication(writer.db, credentials);
  await writer.close();
  return { 'User-Agent': credentials.id };
}
