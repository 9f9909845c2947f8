// How far behind its logs Outpost is at a steady rate of lines, dealt in turn to the logs of many servers: with 1, 2 and 4
// processes of the role `follow` on a PostgreSQL that is some time away, and with one on SQLite. A line is late from when it
// is written to its log until another connection sees its position committed, to a tenth of a second; the logs are polled
// once a second. Given several rates, it goes on to the next one until lines wait longer and longer. Prints the share of a
// core that each process and PostgreSQL use; of a line, its round trips; and the longest that a transaction held its locks.
// Nothing is measured before every log is read. Needs a built dist/. Linux only (/proc).
//   npm run bench:writes -- [--servers 300] [--projects 1] [--rates 150] [--seconds 30] [--processes 1,2,4]
//     [--delayMs 0,1 each way] [--sqlite] [--statements: how often each was sent]
//     [--importLines 0: `outpost import adm` of so many lines meanwhile, for another server of the first project]
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import type { ConfigInput } from '../src/config/schema.ts';
import { storeFile } from '../src/server/store/engine/database.ts';
import { SQLite } from '../src/server/store/engine/driver.ts';
import { createWorkplace, main, type Workplace } from '../test/harness/outpost-process.ts';
import { createDatabase } from '../test/harness/postgres-databases.ts';
import { durable, startPostgres } from '../test/harness/postgres.ts';
import { writeAdminLogs } from './admin-logs.ts';
import { type DelayingLink, startDelayingLink } from './delaying-link.ts';
import { GrowingLogs, type Positions } from './growing-logs.ts';
import { quantile } from './latency.ts';
import { cpuSeconds, familyCpuSeconds } from './process-usage.ts';
import { openStore } from './store.ts';

const { values } = parseArgs({
  options: {
    servers: { type: 'string', default: '300' },
    projects: { type: 'string', default: '1' },
    rates: { type: 'string', default: '150' },
    seconds: { type: 'string', default: '30' },
    processes: { type: 'string', default: '1,2,4' },
    delayMs: { type: 'string', default: '0,1' },
    sqlite: { type: 'boolean', default: false },
    statements: { type: 'boolean', default: false },
    importLines: { type: 'string', default: '0' },
  },
});
const numbers = (list: string): number[] => list.split(',').map(Number);
const [seconds, projects, importLines] = [values.seconds, values.projects, values.importLines].map(
  Number,
) as [number, number, number];
const rates = numbers(values.rates);
const ids = Array.from({ length: Number(values.servers) }, (_, at) => `server-${at}`);

/** Where the processes of a situation find their store, and how to see what they have committed. */
interface Store {
  name: string;
  environment: Record<string, string>;
  positions: Positions;
  /** Whether another writer would wait now, and how often others have committed; null: not known. */
  lock: (() => { isHeld: boolean; commits: number }) | null;
  link: DelayingLink | null;
  /** What a store does by itself in its first minute: PostgreSQL learns how its rows are distributed. */
  settle: () => Promise<void>;
  close: () => Promise<void>;
}

const lockedEveryMs = 5;
const warmUpSeconds = 5;
/** From here on lines are taken to wait longer and longer. */
const behindSeconds = 1;

const history = await mkdtemp(join(tmpdir(), 'outpost-history-'));
const postgres = values.processes === '' ? null : await startPostgres(undefined, durable);
try {
  if (importLines > 0) writeAdminLogs(history, importLines);
  console.log(
    `${ids.length} servers of ${projects} projects, ${seconds} s, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`,
  );
  console.log(
    'store                processes  lines/s   stored/s  late ms: p50    p99    max   CPU of each, %    of PostgreSQL  round trips  longest ms',
  );
  if (values.sqlite) await measure(1, openSqlite);
  for (const delayMs of postgres === null ? [] : numbers(values.delayMs)) {
    for (const processes of numbers(values.processes))
      await measure(processes, async (_, config) => await openPostgres(delayMs, config));
  }
} finally {
  await postgres?.remove();
  await rm(history, { recursive: true });
}

async function measure(
  processes: number,
  open: (workplace: Workplace, config: ConfigInput) => Promise<Store>,
): Promise<void> {
  const workplace = await createWorkplace();
  const logs = new GrowingLogs(join(workplace.folder, 'logs'), ids);
  const config = configOf(logs.folder);
  await workplace.configure(config);
  const store = await open(workplace, config);
  const children = Array.from({ length: processes }, (_, at) => start(workplace, store, at));
  try {
    while (!(await logs.areRead(store.positions))) await sleep(500);
    await logs.write(rates[0] as number, warmUpSeconds, store.positions, []);
    await store.settle();
    for (const rate of rates) {
      const { line, isBehind } = await measureRate(rate, { workplace, logs, store, children });
      console.log(line);
      if (isBehind) break;
    }
    if (values.statements && store.link !== null) printStatements(store.link);
  } finally {
    const ended = children.map(async (child) => await once(child, 'exit'));
    for (const child of children) child.kill();
    await Promise.all(ended);
    await store.close();
    await workplace.remove();
  }
}

interface Situation {
  workplace: Workplace;
  logs: GrowingLogs;
  store: Store;
  children: readonly ChildProcess[];
}

async function measureRate(
  rate: number,
  { workplace, logs, store, children }: Situation,
): Promise<{ line: string; isBehind: boolean }> {
  store.link?.restart();
  const usage = async () => ({
    at: performance.now(),
    own: await Promise.all(children.map(({ pid }) => cpuSeconds(pid as number))),
    postgres: store.link === null || postgres === null ? 0 : await familyCpuSeconds(postgres.pid()),
  });
  const before = await usage();
  const importing = importLines === 0 ? null : importLogs(workplace, store);
  const late: number[] = [];
  const locked = watchLock(store);
  const half = await logs.write(rate, seconds / 2, store.positions, late);
  const end = await logs.write(rate, seconds / 2, store.positions, late, importing);
  const longestMs = locked() ?? store.link?.traffic.longestTransactionMs;
  const after = await usage();
  const stored = late.length;
  // Those that are still waiting have been late for so long at least.
  const all = [...late, ...logs.waiting()];
  const took = (after.at - before.at) / 1000;
  const percent = (used: number): string => ((100 * used) / took).toFixed(0);
  const line = [
    store.name.padEnd(20),
    String(children.length).padStart(9),
    String(rate).padStart(8),
    (stored / took).toFixed(0).padStart(10),
    ...[0.5, 0.99, 1].map((share, at) =>
      quantile(all, share)
        .toFixed(0)
        .padStart(at === 0 ? 13 : 6),
    ),
    after.own
      .map((own, at) => percent(own - (before.own[at] as number)))
      .join(' ')
      .padStart(16),
    percent(after.postgres - before.postgres).padStart(16),
    (store.link === null ? '' : (store.link.traffic.roundTrips / stored).toFixed(1)).padStart(12),
    (longestMs ?? 0).toFixed(0).padStart(11),
  ].join(' ');
  const isBehind = (end - half) / rate > behindSeconds;
  return { line: isBehind ? `${line}  falls behind` : line, isBehind };
}

function configOf(folder: string): ConfigInput {
  const servers = ids.map((id) => ({ id, logs: join(folder, id) }));
  const all = importLines === 0 ? servers : [...servers, { id: 'imported' }];
  return {
    live: { pollSeconds: 60 },
    projects: Array.from({ length: projects }, (_, project) => ({
      slug: `project-${project}`,
      name: `Project ${project}`,
      servers: all
        .filter((_, at) => at % projects === (all[at]?.id === 'imported' ? 0 : project))
        .map((server) => ({ name: server.id, host: '127.0.0.1', port: 2302, timezone: 'UTC', ...server })),
    })),
  };
}

function start({ environment, folder }: Workplace, store: Store, at: number): ChildProcess {
  const env = { ...environment, OUTPOST_DATA: join(folder, at === 0 ? 'data' : `data-${at}`) };
  const child = spawn(process.execPath, [main, 'start'], {
    cwd: folder,
    env: { ...env, ...store.environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  child.once('exit', (code) => {
    if (code !== 0 && code !== null) console.error(`a process ended with ${code}`);
  });
  return child;
}

async function importLogs({ environment }: Workplace, store: Store): Promise<void> {
  const args = [main, 'import', 'adm', '--server', 'imported', history];
  const env = { ...environment, ...store.environment };
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number];
  console.log(`import: ended with ${code} after ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}

/** @returns how to end it, with the longest time that a transaction held the lock, in milliseconds; null: not known */
function watchLock({ lock }: Store): () => number | null {
  if (lock === null) return () => null;
  let longest = 0;
  let sampledAt = performance.now();
  let freeAt = sampledAt;
  let before = lock().commits;
  const timer = setInterval(() => {
    const { isHeld, commits } = lock();
    // Another writer may have followed at once.
    if (commits !== before) freeAt = sampledAt;
    before = commits;
    sampledAt = performance.now();
    if (isHeld) longest = Math.max(longest, sampledAt - freeAt);
    else freeAt = sampledAt;
  }, lockedEveryMs);
  return () => {
    clearInterval(timer);
    return longest;
  };
}

async function openSqlite({ folder }: Workplace, config: ConfigInput): Promise<Store> {
  const file = storeFile(join(folder, 'data'));
  await (await openStore(file, config)).close();
  const db = new SQLite(file, { timeout: 0 });
  const positions = db.prepare('SELECT server_id AS id, position FROM log_file');
  const commits = db.prepare('PRAGMA data_version').pluck();
  const isHeld = (): boolean => {
    try {
      db.exec('BEGIN IMMEDIATE');
    } catch {
      return true;
    }
    db.exec('ROLLBACK');
    return false;
  };
  return {
    name: 'SQLite',
    environment: {},
    positions: async () => positions.all() as Awaited<ReturnType<Positions>>,
    lock: () => ({ commits: commits.get() as number, isHeld: isHeld() }),
    link: null,
    settle: async () => undefined,
    close: async () => void db.close(),
  };
}

async function openPostgres(delayMs: number, config: ConfigInput): Promise<Store> {
  const server = postgres as NonNullable<typeof postgres>;
  const database = await createDatabase(server.url('postgres'));
  await (await openStore(database.url, config)).close();
  const link = await startDelayingLink(server.port, delayMs);
  const url = new URL(database.url);
  url.port = String(link.port);
  const client = new Client(database.url);
  await client.connect();
  return {
    name: `PostgreSQL, ${delayMs} ms`,
    environment: { OUTPOST_ROLES: 'follow', OUTPOST_STORE_URL: url.href },
    async positions() {
      const { rows } = await client.query(
        'SELECT server_id AS id, position::float8 AS position FROM log_file',
      );
      return rows as Awaited<ReturnType<Positions>>;
    },
    lock: null,
    link,
    settle: async () => void (await client.query('ANALYZE')),
    async close() {
      await client.end();
      await link.close();
      await database.drop();
    },
  };
}

function printStatements({ traffic: { statements, roundTrips } }: DelayingLink): void {
  const all = [...statements].toSorted(([, a], [, b]) => b - a);
  const transactions = statements.get('COMMIT') ?? 0;
  console.log(
    `${transactions} transactions, ${(roundTrips / transactions).toFixed(1)} round trips for each, reads beside them with it`,
  );
  console.log('      count  of a transaction  statement');
  for (const [text, count] of all)
    console.log(
      `${String(count).padStart(11)} ${(count / transactions).toFixed(2).padStart(17)}  ${text.slice(0, 240)}`,
    );
}
