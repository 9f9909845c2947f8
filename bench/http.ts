// Measures the service, as `outpost start` runs it, against four servers that do less or do it the usual way:
//   (a) bare node:http sending the same bytes
//   (b) the same with tokens by SHA-256, the exact limiter and all headers
//   (c) Fastify with a better-sqlite3 query per request
//   (d) the same with a Keyv(SQLite) get for the token
// and, where asked for, (p): the service itself on a PostgreSQL store, whose limits all processes share.
// Each runs in a process of its own on one core, the load (autocannon) on the other; rounds alternate between them.
// Figures of one machine at one moment: the ratios mean something, beside the noise that is printed. CPU time per
// request is the steadiest of them. Linux only (taskset, /proc).
// Arguments: rounds (5), requests a round (10,000), an expression for paths (all), servers to compare with (abcd; p),
// connections (10).
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import type { ConfigInput } from '../src/config/schema.ts';
import { freePort } from '../src/demo/free-port.ts';
import { storeFile, type Database } from '../src/server/store/engine/database.ts';
import { saveServerState } from '../test/harness/server-states.ts';
import { northwood, steamIds, storeAnn, storeBan, storePlayers } from '../test/harness/northwood.ts';
import { createDatabase } from '../test/harness/postgres-databases.ts';
import { startPostgres, type PostgresServer } from '../test/harness/postgres.ts';
import type { BaselineSetup } from './baseline.ts';
import { createCaller, median } from './latency.ts';
import { cpuSeconds } from './process-usage.ts';
import { addApplication, newCredentials, openStore, type Credentials } from './store.ts';

const rounds = Number(process.argv[2] ?? 5);
const requests = Number(process.argv[3] ?? 10_000);
const wanted = new RegExp(process.argv[4] ?? '');
const compared = process.argv[5] ?? 'abcd';
const connections = Number(process.argv[6] ?? 10);
const serverCore = '0';
const loadCore = '1';

const targets = [
  { path: '/v1/leaderboards?metric=PLAYER_KILLS&limit=25', everyone: true },
  { path: '/v1/servers', everyone: true },
  { path: `/v1/player/${steamIds.ann}`, everyone: true },
  { path: '/v1/banlists/northwood-bans/bans', everyone: true },
  { path: '/v1/project', everyone: false },
  { path: '/v1/server/northwood-1', everyone: false },
  { path: '/v1/server/northwood-1/schedules', everyone: false },
  { path: '/v1/leaderboards', everyone: false },
  { path: '/v1/banlists', everyone: false },
];
/** How many of its requests the service answers, at least, in the CPU time in which the other answers one. */
const goals = { a: 0.45, b: 0.6, c: 4, d: 6 };
/** The CPU time of a request on PostgreSQL, in that on SQLite, at most. */
const postgresGoal = 1.5;

interface Server {
  name: 'service' | 'p' | keyof typeof goals;
  url: string;
  pid: number;
  /** Where its token is another. */
  headers?: Record<string, string>;
}

interface Sample {
  cpuMicros: number;
  perSecond: number;
  p99Ms: number;
}

const folder = await mkdtemp(join(tmpdir(), 'outpost-bench-'));
const children: ChildProcess[] = [];
let postgres: PostgresServer | undefined;
try {
  await run();
} finally {
  for (const child of children) child.kill('SIGTERM');
  for (const child of children) if (child.exitCode === null) await once(child, 'exit');
  await postgres?.remove();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

async function run(): Promise<void> {
  const credentials = newCredentials();
  const writer = await fillStore(credentials, storeFile(join(folder, 'data')));
  const port = await freePort();
  const config: ConfigInput = { ...benchConfig(credentials.id), http: { port } };
  await writeFile(join(folder, 'outpost.yaml'), stringify(config));
  const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
  const service = await start('service', [main, 'start'], `http://127.0.0.1:${port}`);
  const headers = await register(service.url, credentials);

  const bodies: Record<string, string> = {};
  for (const { path } of targets) {
    const response = await fetch(service.url + path, {
      headers: { ...headers, 'Accept-Encoding': 'identity' },
    });
    if (response.status !== 200)
      throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    bodies[path] = await response.text();
  }
  const baseline = async (name: keyof typeof goals, kind: BaselineSetup['kind']): Promise<Server> => {
    const setup: BaselineSetup = {
      kind,
      applicationId: credentials.id,
      token: (headers['Authorization'] as string).slice('Bearer '.length),
      bodies,
      storeFile: storeFile(join(folder, 'data')),
      keyvFile: join(folder, `${kind}.sqlite`),
      playerSteamId: steamIds.ann,
    };
    const file = join(folder, `${kind}.json`);
    await writeFile(file, JSON.stringify(setup));
    const script = fileURLToPath(new URL('./baseline.ts', import.meta.url));
    return await start(name, ['--import', 'tsx', script, file]);
  };
  const kinds = { a: 'bare', b: 'guarded', c: 'fastify-sqlite', d: 'fastify-sqlite-keyv' } as const;
  const servers = [service];
  for (const name of ['a', 'b', 'c', 'd'] as const)
    if (compared.includes(name)) servers.push(await baseline(name, kinds[name]));
  if (compared.includes('p')) servers.push(await startOnPostgres(credentials, main));

  console.log(
    `${rounds} rounds of ${requests} requests, ${connections} connections, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}`,
  );
  for (const { path, everyone } of targets.filter(({ path }) => wanted.test(path))) {
    const measured = servers.filter(({ name }) => everyone || ['service', 'p', 'a', 'b'].includes(name));
    const samples = new Map<string, Sample[]>();
    for (let round = 0; round <= rounds; round += 1) {
      for (const server of measured) {
        const sample = await measure(server, path, server.headers ?? headers);
        // The first round warms up.
        if (round > 0) samples.set(server.name, [...(samples.get(server.name) ?? []), sample]);
      }
    }
    report(path, Buffer.byteLength(bodies[path] as string), samples);
  }
  if (compared.includes('d')) await reportCold(service, headers, writer.db);
  await writer.close();
}

function benchConfig(applicationId: string): ConfigInput {
  const applications = [{ id: applicationId, requestsPerMinute: 1_000_000 }];
  const [project] = northwood().projects;
  const more = Array.from({ length: 8 }, (_, index) => ({
    id: `northwood-${index + 3}`,
    name: `Northwood | ${index + 3}`,
    host: '127.0.0.1',
    port: 3_000 + index,
  }));
  return northwood({ applications, servers: [...(project?.servers ?? []), ...more] });
}

/** The service on a PostgreSQL of its own, with the same data. */
async function startOnPostgres(credentials: Credentials, main: string): Promise<Server> {
  postgres = await startPostgres();
  const storeUrl = (await createDatabase(postgres.url('postgres'))).url;
  const filled = await fillStore(credentials, storeUrl);
  await filled.close();
  const port = await freePort();
  await writeFile(
    join(folder, 'postgres.yaml'),
    stringify({ ...benchConfig(credentials.id), http: { port } }),
  );
  const server = await start('p', [main, 'start'], `http://127.0.0.1:${port}`, {
    OUTPOST_CONFIG: join(folder, 'postgres.yaml'),
    OUTPOST_DATA: join(folder, 'postgres'),
    OUTPOST_STORE_URL: storeUrl,
  });
  return { ...server, headers: await register(server.url, credentials) };
}

async function fillStore(credentials: Credentials, location: string): ReturnType<typeof openStore> {
  const writer = await openStore(location, benchConfig(credentials.id));
  await addApplication(writer.db, credentials);
  const state = {
    status: 'ONLINE',
    map: 'chernarusplus',
    players: 40,
    maxPlayers: 60,
    checkedAt: Date.now(),
  } as const;
  for (const server of ['northwood-1', 'northwood-2']) await saveServerState(writer.db, server, state);
  await storeAnn(writer.db, 'northwood');
  const players = await storePlayers(
    writer.db,
    'northwood',
    Array.from({ length: 1_000 }, (_, index) => index + 1),
  );
  for (const [index, playerId] of players.slice(0, 100).entries()) {
    await storeBan(writer.db, 'northwood-bans', {
      key: `ban-${index}`,
      playerId,
      startsAt: index,
      reason: 'Aimbot',
    });
  }
  return writer;
}

async function start(
  name: Server['name'],
  args: string[],
  url?: string,
  environment: Record<string, string> = {},
): Promise<Server> {
  const child = spawn('taskset', ['-c', serverCore, process.execPath, ...args], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: {
      PATH: process.env['PATH'],
      OUTPOST_CONFIG: join(folder, 'outpost.yaml'),
      OUTPOST_DATA: join(folder, 'data'),
      NODE_ENV: 'production',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}: ${said}`)));
    child.stdout?.on('data', (data) => {
      if (said.length < 10_000) said += String(data);
      if (/listen(ing|s at)/.test(said)) resolve();
    });
  });
  const port = /listening (\d+)/.exec(said)?.[1];
  return { name, pid: child.pid as number, url: url ?? `http://127.0.0.1:${port}` };
}

async function register(url: string, credentials: Credentials): Promise<Record<string, string>> {
  const caller = createCaller(url);
  const { token } = await caller.register(credentials);
  caller.close();
  return { Authorization: `Bearer ${token}`, 'User-Agent': credentials.id };
}

async function measure(server: Server, path: string, headers: Record<string, string>): Promise<Sample> {
  const autocannon = createRequire(import.meta.url).resolve('autocannon');
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const before = await cpuSeconds(server.pid);
  const child = spawn(
    'taskset',
    [
      '-c',
      loadCore,
      process.execPath,
      autocannon,
      '-j',
      '-c',
      String(connections),
      '-a',
      String(server.name === 'c' || server.name === 'd' ? requests / 10 : requests),
    ].concat(flags, server.url + path),
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  let output = '';
  child.stdout.on('data', (data) => (output += String(data)));
  await new Promise((resolve) => child.once('close', resolve));
  const cpu = (await cpuSeconds(server.pid)) - before;
  const result = JSON.parse(output) as {
    '2xx': number;
    non2xx: number;
    errors: number;
    duration: number;
    latency: { p99: number };
  };
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${server.name} ${path}: ${output}`);
  return {
    cpuMicros: (cpu / result['2xx']) * 1e6,
    perSecond: result['2xx'] / result.duration,
    p99Ms: result.latency.p99,
  };
}

function report(path: string, bytes: number, samples: ReadonlyMap<string, readonly Sample[]>): void {
  console.log(`\n${path} (${bytes} bytes)`);
  console.log('            CPU µs/request (spread)     req/s   p99 ms   service is … by CPU   each round');
  const service = samples.get('service') ?? [];
  for (const [name, own] of samples) {
    const ratios = own.map((sample, round) => sample.cpuMicros / (service[round] as Sample).cpuMicros);
    const micros = own.map(({ cpuMicros }) => cpuMicros);
    const spread = `${Math.min(...micros).toFixed(1)}-${Math.max(...micros).toFixed(1)}`;
    const goal =
      name === 'service'
        ? ''
        : name === 'p'
          ? `(at most ${postgresGoal})`
          : `(goal ${goals[name as keyof typeof goals]})`;
    console.log(
      [
        name.padEnd(8),
        median(micros).toFixed(1).padStart(14),
        `(${spread})`.padStart(14),
        median(own.map(({ perSecond }) => perSecond))
          .toFixed(0)
          .padStart(9),
        median(own.map(({ p99Ms }) => p99Ms))
          .toFixed(1)
          .padStart(8),
        `${median(ratios).toFixed(2).padStart(8)}x ${goal}`.padEnd(24),
        ratios.map((ratio) => ratio.toFixed(2)).join(' '),
      ].join(' '),
    );
  }
}

/** A request right after a commit of another process, beside one for which nothing changed; one after the other. */
async function reportCold(service: Server, headers: Record<string, string>, db: Database): Promise<void> {
  const asked = 500;
  console.log(
    `\ncold: CPU µs/request over ${asked} requests one by one, each after a commit (and without one)`,
  );
  for (const { path } of targets) {
    const micros: number[] = [];
    for (const commits of [true, false]) {
      const before = await cpuSeconds(service.pid);
      for (let index = 0; index < asked; index += 1) {
        if (commits) await db.updateTable('server_state').set({ players: index }).execute();
        await (await fetch(service.url + path, { headers })).arrayBuffer();
      }
      micros.push((((await cpuSeconds(service.pid)) - before) / asked) * 1e6);
    }
    console.log(`${path.padEnd(48)} ${micros.map((value) => value.toFixed(0).padStart(6)).join(' ')}`);
  }
}
