// Measures whether the service answers out of a great store as fast as out of a small one. Two stores are filled
// (seed.ts), `outpost start` runs on each, and every operation is asked on both by turns:
//   cold  right after a commit of another process, so that everything kept in memory is void and the store is asked;
//         identifiers, metrics and limits change from request to request
//   hot   the same request again and again
// One caller, one request at a time. The figures are medians of rounds; beside their ratio stands how far the small
// store's own rounds lie apart, which is what the machine does by itself. Then what a write costs, and what a commit
// each second (a log that is followed) does to leaderboards.
// Needs a built dist/. Linux only (taskset).
//   npm run bench:scale -- [--players 1000000] [--bans 200000] [--rounds 8] [--requests 250] [--only TEXT]
//     [--data FOLDER]   keeps the stores there and takes those that lie there
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { dayzIdOf } from '../src/api/identifiers.ts';
import { metricCodes } from '../src/api/metrics.ts';
import type { ConfigInput } from '../src/config/schema.ts';
import { startSimulatedGameServer } from '../src/demo/game-server.ts';
import { seededRandom } from '../src/demo/random.ts';
import { addBan } from '../src/server/ingest/bans/by-hand.ts';
import { logFormats } from '../src/server/games/index.ts';
import { SourceWatch } from '../src/server/ingest/follower/source-watch.ts';
import { storeFile, type Database } from '../src/server/store/engine/database.ts';
import { saveServerState } from '../test/harness/server-states.ts';
import { northwood } from '../test/harness/northwood.ts';
import { createWorkplace, type Workplace } from '../test/harness/outpost-process.ts';
import { createCaller, median, quantile, type Caller } from './latency.ts';
import { identifiersOf, steamIdOf } from './people.ts';
import { seed, showProgress } from './seed.ts';
import { addApplication, newCredentials, openStore, type Credentials } from './store.ts';

const { values } = parseArgs({
  options: {
    players: { type: 'string', default: '1000000' },
    bans: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '8' },
    requests: { type: 'string', default: '250' },
    only: { type: 'string', default: '' },
    data: { type: 'string' },
  },
});
const sizes = {
  small: { players: 1_000, bans: 200 },
  great: { players: Number(values.players), bans: Number(values.bans) },
};
const rounds = Number(values.rounds);
const requests = Number(values.requests);
const goal = 1.5;
const serviceCore = '0';
/** One may register so often in a minute. */
const registrationsOfApplication = 60;
/** A token may ask so often for the live list in half a minute. */
const onlineOfToken = 2;
const commitsEverySecond = { seconds: 20, requestsPerSecond: 50 };

interface Side {
  name: keyof typeof sizes;
  players: number;
  workplace: Workplace;
  db: Database;
  caller: Caller;
  applications: Credentials[];
  /** What a caller of the live list uses up. */
  tokens: Record<string, string>[];
  /** The admin log that is followed, and who follows it. */
  logs: string;
  watch: SourceWatch;
  random: () => number;
  startMs: number;
  close(): Promise<void>;
}

const gameServer = await startSimulatedGameServer({
  name: 'Northwood',
  map: 'chernarusplus',
  maxPlayers: 60,
  players: 40,
});
const sides: Side[] = [];
async function run(): Promise<void> {
  const [small, great] = sides as [Side, Side];
  console.log(
    `\n${sizes.small.players} players and ${sizes.small.bans} bans, and ${sizes.great.players} and ${sizes.great.bans}; ` +
      `${rounds} rounds of ${requests} requests each by turns, Node ${process.version}`,
  );
  console.log(`start until it listens: ${small.startMs.toFixed(0)} ms and ${great.startMs.toFixed(0)} ms\n`);
  console.log(
    'ms                                                  p50 small  great   p99 small  great    ratio     noise (p99 small)',
  );
  if (wanted('register')) {
    await byTurns('POST /v1/auth/register', (side, at) => registerOnce(side, at));
    await byTurns('GET /v1/server/{id}/players/online', async (side, at) => {
      side.caller.use(side.tokens[Math.floor(at / onlineOfToken)] as Record<string, string>);
      return await side.caller.time('/v1/server/northwood-1/players/online');
    });
  }
  for (const side of sides) side.caller.use(side.tokens[0] as Record<string, string>);
  for (const target of targets().filter(({ name }) => wanted(name))) {
    const { name, status = 200, path } = target;
    await byTurns(`${name} cold`, async (side) => {
      await commit(side.db);
      return await side.caller.time(path(side), status);
    });
    const fixed = new Map(sides.map((side) => [side, path(side)]));
    await byTurns(`${name} hot`, (side) => side.caller.time(fixed.get(side) as string, status));
  }
  if (wanted('writes')) {
    await byTurns('a kill in a log that is followed', followKill);
    await byTurns('a ban by hand', banOne);
  }
  if (wanted('commits')) await withCommits(great);
}

const wanted = (name: string): boolean => name.includes(values.only);

interface Target {
  name: string;
  path: (side: Side) => string;
  status?: number;
}

function targets(): Target[] {
  const any = <T>({ random }: Side, list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const limit = ({ random }: Side, most: number) => 1 + Math.floor(random() * most);
  return [
    { name: 'GET /v1/project', path: () => '/v1/project' },
    { name: 'GET /v1/servers', path: () => '/v1/servers' },
    { name: 'GET /v1/server/{id}', path: () => '/v1/server/northwood-1' },
    { name: 'GET /v1/server/{id}/schedules', path: () => '/v1/server/northwood-1/schedules' },
    { name: 'GET /v1/leaderboards', path: () => '/v1/leaderboards?limit=25' },
    {
      name: 'GET /v1/leaderboards?metric',
      path: (side) => `/v1/leaderboards?metric=${any(side, metricCodes)}&limit=${limit(side, 25)}`,
    },
    {
      name: 'GET /v1/player/{identifier}',
      path: (side) => `/v1/player/${any(side, identifiersOf(Math.floor(side.random() * side.players)))}`,
    },
    {
      name: 'GET /v1/player/{identifier} (nobody)',
      path: (side) => `/v1/player/${steamIdOf(2_000_000 + Math.floor(side.random() * 1e6))}`,
      status: 404,
    },
    { name: 'GET /v1/banlists', path: () => '/v1/banlists' },
    {
      name: 'GET /v1/banlists/{id}/bans',
      path: (side) => `/v1/banlists/northwood-bans/bans?limit=${100 + limit(side, 100)}`,
    },
    { name: 'GET /healthz', path: () => '/healthz' },
    { name: 'GET /readyz', path: () => '/readyz' },
  ];
}

/** Measures small, great, small, great …, one request each; the first round warms up. Prints the median of the rounds' figures. */
async function byTurns(
  name: string,
  measure: (side: Side, at: number) => Promise<number>,
  each = requests,
): Promise<void> {
  const figures: Record<Side['name'], { p50: number[]; p99: number[] }> = {
    small: { p50: [], p99: [] },
    great: { p50: [], p99: [] },
  };
  for (let round = 0; round <= rounds; round += 1) {
    const samples: Record<Side['name'], number[]> = { small: [], great: [] };
    for (let at = 0; at < each; at += 1) {
      // What disturbs the machine meanwhile disturbs both.
      for (const side of sides) samples[side.name].push(await measure(side, round * each + at));
    }
    if (round === 0) continue;
    for (const name of ['small', 'great'] as const) {
      figures[name].p50.push(quantile(samples[name], 0.5));
      figures[name].p99.push(quantile(samples[name], 0.99));
    }
  }
  const [small, great] = [figures.small, figures.great].map(({ p50, p99 }) => [median(p50), median(p99)]) as [
    [number, number],
    [number, number],
  ];
  const ratio = great[1] / small[1];
  console.log(
    [
      name.padEnd(52),
      ...[small[0], great[0], small[1], great[1]].map((ms) => ms.toFixed(2).padStart(9)),
      ratio.toFixed(2).padStart(9),
      `${Math.min(...figures.small.p99).toFixed(2)}-${Math.max(...figures.small.p99).toFixed(2)}`.padStart(
        16,
      ),
      ratio > goal ? `  above ${goal}` : '',
    ].join(''),
  );
}

async function registerOnce(side: Side, at: number): Promise<number> {
  const application = side.applications[Math.floor(at / registrationsOfApplication)] as Credentials;
  const { ms, token } = await side.caller.register(application);
  side.tokens.push({ 'User-Agent': application.id, Authorization: `Bearer ${token}` });
  return ms;
}

/** What the poller does each time, which voids all that the service keeps. */
async function commit(db: Database): Promise<void> {
  await db.updateTable('server_state').set({ checked_at: Date.now() }).execute();
}

/** One more line in a log that is followed: somebody who has been there before kills another. */
async function followKill({ players, random, logs, watch }: Side): Promise<number> {
  const [killer, victim] = [0, 1].map(() => {
    // Fifty people meet on an evening, here and there; everyone at a multiple of twenty is known by a DayZ id.
    const index = Math.floor(random() * 50) * Math.floor(players / 1_000) * 20;
    return `"Somebody" (id=${dayzIdOf(steamIdOf(index))} pos=<4117.0, 10504.5, 238.2>)`;
  }) as [string, string];
  const time = new Date().toISOString().slice(11, 19);
  const dead = victim.replace(' (id', ' (DEAD) (id');
  await appendFile(
    logs,
    `${time} | Player ${dead} killed by Player ${killer} with SVD from 378.238 meters \n`,
  );
  const startedAt = performance.now();
  const servers = [{ id: 'northwood-1', logs: dirname(logs) }];
  void watch.apply({ sources: { servers, banlists: [] }, leases: null });
  const outcomes = await watch.poll(false);
  const ms = performance.now() - startedAt;
  if (outcomes.length !== 1 || outcomes[0]?.error !== undefined) {
    throw new Error(`the kill was not read: ${JSON.stringify(outcomes)}`);
  }
  return ms;
}

async function banOne({ db, players, random }: Side): Promise<number> {
  const player = { kind: 'steamId64', value: steamIdOf(Math.floor(random() * players)) } as const;
  const startedAt = performance.now();
  await addBan(db, {
    listId: 'northwood-bans',
    player,
    category: 'OTHER',
    reason: null,
    expiresAt: null,
  });
  return performance.now() - startedAt;
}

/** Leaderboards at a steady pace while nothing is written, and while somebody commits once a second, twice in turns. */
async function withCommits(side: Side): Promise<void> {
  const { seconds, requestsPerSecond } = commitsEverySecond;
  console.log(
    `\nleaderboards out of ${side.players} players, ${requestsPerSecond} requests a second over ten paths, ${seconds} s each`,
  );
  const paths = ['', ...metricCodes.map((code) => `metric=${code}&`)].map(
    (metric) => `/v1/leaderboards?${metric}limit=25`,
  );
  for (const commits of [false, true, false, true]) {
    const timer = commits ? setInterval(() => void commit(side.db), 1_000) : undefined;
    const samples: number[] = [];
    for (let at = 0; at < seconds * requestsPerSecond; at += 1) {
      samples.push(await side.caller.time(paths[at % paths.length] as string));
      await sleep(1_000 / requestsPerSecond);
    }
    clearInterval(timer);
    const figures = [0.5, 0.9, 0.99, 1].map((share) => quantile(samples, share).toFixed(2));
    console.log(
      `${commits ? 'a commit each second' : 'nothing written     '}  p50 ${figures[0]}  p90 ${figures[1]}  p99 ${figures[2]}  worst ${figures[3]} ms`,
    );
  }
}

/** Now, as a header of a log says it. */
function headerTime(): string {
  return new Date().toISOString().slice(0, 19).replace('T', ' at ');
}

async function openSide(name: keyof typeof sizes): Promise<Side> {
  const workplace = await createWorkplace();
  const { players, bans } = sizes[name];
  const applications = Array.from(
    { length: Math.ceil(((rounds + 1) * requests) / registrationsOfApplication) },
    newCredentials,
  );
  const config: ConfigInput = northwood({
    applications: applications.map(({ id }) => ({ id, requestsPerMinute: 1_000_000 })),
  });
  for (const server of config.projects[0]?.servers ?? []) server.queryPort = gameServer.port;
  await workplace.configure({ ...config, live: { pollSeconds: 86_400 } });
  if (values.data !== undefined) workplace.environment['OUTPOST_DATA'] = join(values.data, name);
  const file = storeFile(workplace.environment['OUTPOST_DATA'] as string);
  const seeded = existsSync(file);
  const writer = await openStore(file, config);
  if (!seeded) {
    console.log(`${players} players, ${bans} bans`);
    await seed(writer.db, {
      project: 'northwood',
      serverId: 'northwood-1',
      banListId: 'northwood-bans',
      players,
      bans,
      onProgress: showProgress,
    });
  }
  const { count } = await writer.db
    .selectFrom('player')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  if (count < players) throw new Error(`${file} holds ${count} players, not ${players}: remove it`);
  for (const credentials of applications) await addApplication(writer.db, credentials);
  const state = { status: 'ONLINE', map: 'chernarusplus', players: 40, maxPlayers: 60 } as const;
  await saveServerState(writer.db, 'northwood-1', { ...state, checkedAt: Date.now() });

  const logs = await workplace.write('DayZServer_x64.ADM', `AdminLog started on ${headerTime()}\n`);

  const startedAt = performance.now();
  const service = await workplace.start();
  const startMs = performance.now() - startedAt;
  execFileSync('taskset', ['-a', '-c', '-p', serviceCore, String(service.pid)]);
  const caller = createCaller(service.url);
  const side: Side = {
    name,
    players,
    workplace,
    db: writer.db,
    caller,
    applications,
    tokens: [],
    logs,
    watch: new SourceWatch(writer, { formats: logFormats }),
    random: seededRandom(7),
    startMs,
    async close() {
      caller.close();
      await workplace.remove();
      await writer.close();
    },
  };
  if (!wanted('register')) await registerOnce(side, 0);
  return side;
}

try {
  for (const name of ['small', 'great'] as const) sides.push(await openSide(name));
  await run();
} finally {
  for (const side of sides) await side.close();
  await gameServer.close();
}
