// How much 1, 2 and 4 processes with the role `api` serve from one PostgreSQL, each request dealt at random to one of
// them, beside one process on SQLite: requests a second, CPU a request of the processes and of PostgreSQL, batches,
// write-ahead log. Once with the tokens of many applications, and once with a single one, whose row all calls lock.
// The load runs in a process of its own (process-load.ts), on the same machine: where its CPU, the processes' and
// PostgreSQL's reach the cores that there are, requests a second say nothing of more processes, and only the CPU does.
// With a pause before each request of a connection, nothing is full, and all situations have the same requests a second.
// PostgreSQL flushes its commits. Needs a built dist/. Linux only (/proc).
// Before it is measured, each situation answers equally many requests per process, since code that has run seldom is not
// compiled yet.
//   npm run bench:processes -- [--rounds 3] [--seconds 5] [--connections 64] [--tokens 200]
//     [--processes 1,2,4] [--warmUp 10000] [--pauseMs 0] [--path /v1/project]
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import type { ConfigInput } from '../src/config/schema.ts';
import { storeFile } from '../src/server/store/engine/database.ts';
import { createWorkplace, type Workplace } from '../test/harness/outpost-process.ts';
import { createDatabase } from '../test/harness/postgres-databases.ts';
import { durable, startPostgres } from '../test/harness/postgres.ts';
import { createCaller, median, quantile } from './latency.ts';
import { startCallers } from './load.ts';
import { cpuSeconds, familyCpuSeconds } from './process-usage.ts';
import { addApplication, newCredentials, openStore } from './store.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '64' },
    tokens: { type: 'string', default: '200' },
    processes: { type: 'string', default: '1,2,4' },
    warmUp: { type: 'string', default: '10000' },
    pauseMs: { type: 'string', default: '0' },
    path: { type: 'string', default: '/v1/project' },
  },
});
const [rounds, seconds, connections, tokens, warmUp, pauseMs] = [
  values.rounds,
  values.seconds,
  values.connections,
  values.tokens,
  values.warmUp,
  values.pauseMs,
].map(Number) as [number, number, number, number, number, number];

const counts = values.processes.split(',').map(Number);
const applications = Array.from({ length: tokens }, (_, index) => ({
  ...newCredentials(),
  projectSlug: `project-${index}`,
}));
const config: ConfigInput = {
  projects: applications.map(({ id, projectSlug: slug }) => ({
    slug,
    name: slug,
    applications: [{ id, requestsPerMinute: 1_000_000 }],
  })),
};

type Headers = Record<string, string>[];
interface Process {
  url: string;
  pid: number;
}
interface Figures {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Microseconds a request. */
  own: number;
  postgres: number;
  load: number;
  /** Requests a transaction of PostgreSQL. */
  batch: number;
  walBytes: number;
}

const callers = startCallers();
const [onFile, onPostgres] = [await createWorkplace(), await createWorkplace()];
const postgres = await startPostgres(undefined, durable);
const database = await createDatabase(postgres.url('postgres'));
const monitor = new Client(database.url);
try {
  await monitor.connect();
  const file = join(onFile.folder, 'data');
  const [alone] = await startProcesses(onFile, storeFile(file), [{ OUTPOST_DATA: file }]);
  const shared = await startProcesses(
    onPostgres,
    database.url,
    Array.from({ length: Math.max(...counts) }, (_, index) => ({
      OUTPOST_DATA: join(onPostgres.folder, `data-${index}`),
      OUTPOST_STORE_URL: database.url,
      OUTPOST_ROLES: 'api',
    })),
  );
  const headers = {
    alone: await callersOf((alone as Process).url),
    shared: await callersOf((shared[0] as Process).url),
  };
  const situations = [1, tokens].flatMap((used) => [
    { name: 'SQLite', processes: [alone as Process], headers: headers.alone.slice(0, used) },
    ...counts.map((count) => ({
      name: `PostgreSQL, ${count}`,
      processes: shared.slice(0, count),
      headers: headers.shared.slice(0, used),
    })),
  ]);
  console.log(
    `${rounds} rounds of ${seconds} s, ${connections} connections, ${pauseMs} ms apart, ${values.path}, ${cpus().length} cores, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}`,
  );
  const results = new Map(situations.map((situation) => [situation, [] as Figures[]]));
  for (const { processes, headers: used } of situations) {
    await callers.run({ ...loadOf(processes, used), count: warmUp * processes.length });
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const situation of situations) {
      results.get(situation)?.push(await measure(situation.processes, situation.headers));
    }
  }
  console.log('CPU in µs a request, median (lowest to highest)');
  console.log(
    'tokens processes         req/s   p50 ms   p99 ms  of the processes     of PostgreSQL        of the load  req/batch   WAL B',
  );
  for (const [{ name, headers: used }, own] of results) {
    const one = (key: keyof Figures): number => median(own.map((figures) => figures[key]));
    const spread = (key: keyof Figures): string => {
      const all = own.map((figures) => figures[key]);
      return `${one(key).toFixed(0)} (${Math.min(...all).toFixed(0)}-${Math.max(...all).toFixed(0)})`.padStart(
        17,
      );
    };
    console.log(
      [
        String(used.length).padStart(6),
        name.padEnd(14),
        one('perSecond').toFixed(0).padStart(8),
        one('p50Ms').toFixed(1).padStart(8),
        one('p99Ms').toFixed(1).padStart(8),
        spread('own'),
        spread('postgres'),
        spread('load'),
        one('batch').toFixed(1).padStart(10),
        one('walBytes').toFixed(0).padStart(7),
      ].join(' '),
    );
  }
  console.log(`load at the end: ${loadavg()[0]?.toFixed(1)}`);
} finally {
  callers.close();
  await monitor.end();
  await Promise.all([onFile.remove(), onPostgres.remove()]);
  await postgres.remove();
}

async function startProcesses(
  workplace: Workplace,
  location: string,
  environments: Record<string, string>[],
): Promise<Process[]> {
  await workplace.configure(config);
  const writer = await openStore(location, config);
  for (const { projectSlug, ...credentials } of applications)
    await addApplication(writer.db, credentials, projectSlug);
  await writer.close();
  return await Promise.all(environments.map((environment) => workplace.start(environment)));
}

/** The headers of all applications. */
async function callersOf(url: string): Promise<Headers> {
  const caller = createCaller(url);
  const headers = [];
  for (const { id, secret } of applications) {
    const { token } = await caller.register({ id, secret });
    headers.push({ 'User-Agent': id, Authorization: `Bearer ${token}` });
  }
  caller.close();
  return headers;
}

function loadOf(processes: readonly Process[], headers: Headers) {
  const requests = processes.flatMap(({ url }) =>
    headers.map((own) => ({ url: url + values.path, headers: own })),
  );
  return { requests, connections };
}

async function measure(processes: readonly Process[], headers: Headers): Promise<Figures> {
  const before = await state(processes);
  const { times, seconds: took } = await callers.run({ ...loadOf(processes, headers), pauseMs, seconds });
  const after = await state(processes);
  const perRequest = (key: keyof typeof before): number => (after[key] - before[key]) / times.length;
  return {
    perSecond: times.length / took,
    p50Ms: median(times),
    p99Ms: quantile(times, 0.99),
    own: perRequest('own') * 1e6,
    postgres: perRequest('postgres') * 1e6,
    load: perRequest('load') * 1e6,
    batch: 1 / perRequest('transactions'),
    walBytes: perRequest('wal'),
  };
}

async function state(processes: readonly Process[]) {
  const own = await Promise.all(processes.map(({ pid }) => cpuSeconds(pid)));
  // Sent to the statistics after a second.
  const { rows } = await monitor.query<{ transactions: string; wal: string }>(
    `SELECT pg_stat_force_next_flush(), pg_current_wal_insert_lsn() - '0/0' AS wal,
      (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()) AS transactions`,
  );
  return {
    own: own.reduce((sum, time) => sum + time, 0),
    postgres: await familyCpuSeconds(postgres.pid()),
    load: await cpuSeconds(callers.pid),
    transactions: Number(rows[0]?.transactions),
    wal: Number(rows[0]?.wal),
  };
}
