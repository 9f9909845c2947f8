import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { scopes } from '../../src/api/access.ts';
import { type SimulatedGameServer, startSimulatedGameServer } from '../../src/demo/game-server.ts';
import { createApplication } from '../../src/server/store/repositories/applications/applications.ts';
import {
  hashSecret,
  newApplicationId,
  newSecret,
} from '../../src/server/store/repositories/applications/credentials.ts';
import { openWriter } from '../../src/server/store/engine/database.ts';
import { startBalancer } from '../conformance/world/balancer.ts';
import { northwood } from '../harness/northwood.ts';
import { createWorkplace, type Running, type Workplace } from '../harness/outpost-process.ts';
import { createDatabase, onServer, type TestDatabase } from '../harness/postgres-databases.ts';
import { type PostgresServer, startPostgres } from '../harness/postgres.ts';
import { type LoadCaller, register } from '../harness/steady-load.ts';
import { eventually, print } from './loaded-processes.ts';

const quota = 120;
const windowMs = 60_000;
/** Longer than a window, so that what was admitted first is forgotten again. */
const longMs = 75_000;
const stepMs = 3_600_000;
const askers = 500;

let postgres: PostgresServer;
let game: SimulatedGameServer;
/** For all tests but those that set the clock. */
let world: World;
/** Two tokens, and what was asked with each while other tests run. */
let callers: LoadCaller[];
let bursts: Promise<Asked[][]>;

const config = (applications: { id: string; requestsPerMinute: number }[] = []) => {
  const server = { host: '127.0.0.1', port: 2302, queryPort: game.port };
  const { projects } = northwood({
    servers: [{ id: 'northwood-1', name: 'Northwood', ...server }],
    applications,
  });
  return { live: { pollSeconds: 3_600 }, projects: projects.map((one) => ({ ...one, banlists: [] })) };
};

/** Processes that share a database, behind a balancer. */
interface World extends AsyncDisposable {
  database: TestDatabase;
  place: Workplace;
  /** Those with the role `api`. */
  serving: Running[];
  /** Of the balancer. */
  url: string;
}

async function startWorld(roles: readonly string[]): Promise<World> {
  const place = await createWorkplace();
  const database = await createDatabase(postgres.url('postgres'));
  place.environment['OUTPOST_STORE_URL'] = database.url;
  await place.configure(config());
  const running = await Promise.all(
    roles.map((OUTPOST_ROLES, index) =>
      place.start({ OUTPOST_ROLES, OUTPOST_DATA: join(place.folder, `data-${index}`) }),
    ),
  );
  const serving = running.filter((_, index) => roles[index] === 'api');
  const balancer = await startBalancer(serving.map(({ url }) => url));
  await recordAdmissions(database);
  return {
    database,
    place,
    serving,
    url: balancer.url,
    async [Symbol.asyncDispose]() {
      await balancer.close();
      await place.remove();
    },
  };
}

beforeAll(async () => {
  postgres = await startPostgres();
  game = await startSimulatedGameServer({ name: 'N', map: 'enoch', maxPlayers: 60, players: 20 });
  world = await startWorld(['api', 'api', 'api', 'api', 'poll,follow,bot']);
  callers = await Promise.all([newCaller(world), newCaller(world)]);
  const until = performance.now() + longMs;
  bursts = Promise.all(callers.map((caller) => askInBursts(caller, until)));
  // It is awaited, and fails, in its test.
  bursts.catch(() => undefined);
});
afterAll(async () => {
  await bursts.catch(() => undefined);
  await world[Symbol.asyncDispose]();
  await game.close();
  await postgres.remove();
});

/** Writes down every admission: how many requests, and their moment by the clock of the database. */
async function recordAdmissions({ url }: TestDatabase): Promise<void> {
  await onServer(
    url,
    `CREATE TABLE admission (key text, at bigint, admitted bigint)`,
    `CREATE FUNCTION record_admission() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      last integer := cardinality(NEW.moments);
      extends boolean := NEW.since = OLD.since;
    BEGIN
      IF last > 0 THEN
        INSERT INTO admission VALUES (NEW.key, NEW.since + NEW.moments[last], NEW.totals[last]
          - CASE WHEN extends THEN coalesce(OLD.totals[cardinality(OLD.totals)], OLD.base) ELSE 0 END);
      END IF;
      RETURN NULL;
    END $$`,
    `CREATE TRIGGER record_admission AFTER UPDATE ON request_limit FOR EACH ROW EXECUTE FUNCTION record_admission()`,
  );
}

/** Sets the clock of the database, as the service sees it, this far ahead. */
async function stepClock(database: TestDatabase, ms: number): Promise<void> {
  await onServer(
    database.url,
    'CREATE SCHEMA IF NOT EXISTS stepped',
    `CREATE OR REPLACE FUNCTION stepped.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
      $$ SELECT pg_catalog.clock_timestamp() + interval '${ms} milliseconds' $$`,
    // Names are looked up in the catalog first, unless it is in the list.
    `ALTER DATABASE "${database.name}" SET search_path = stepped, pg_catalog, public`,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = '${database.name}' AND pid <> pg_backend_pid()`,
  );
}

interface Asked {
  status: number;
  from: number;
  to: number;
}

const headersOf = ({ id, token }: LoadCaller) => ({ 'User-Agent': id, Authorization: `Bearer ${token}` });
async function ask(caller: LoadCaller, url: string, path = '/v1/project'): Promise<Asked> {
  const from = performance.now();
  const answer = await fetch(url + path, { headers: headersOf(caller) });
  await answer.arrayBuffer();
  return { status: answer.status, from, to: performance.now() };
}

async function newCaller({ place, url }: World): Promise<LoadCaller> {
  const make = ['--project', 'northwood', '--name', 'Test', '--scopes', 'all'];
  const { id, secret } = await place.outpostJson('app', 'create', ...make);
  return { id, secret, token: await register(url, { id, secret }) };
}

/** Asks in bursts of random size, at random times, more than is admitted. */
async function askInBursts(caller: LoadCaller, untilMs: number): Promise<Asked[]> {
  const asked: Promise<Asked>[] = [];
  while (performance.now() < untilMs) {
    const burst = Math.random() < 0.1 ? 60 : Math.floor(Math.random() * 8);
    for (let n = 0; n < burst; n += 1) asked.push(ask(caller, world.url));
    await delay(Math.random() * 1_000);
  }
  return await Promise.all(asked);
}

const statusesOf = (asked: readonly Asked[]): Set<number> => new Set(asked.map(({ status }) => status));
const admissionsOf = async (
  database: TestDatabase,
  { token }: LoadCaller,
): Promise<{ at: number; admitted: number }[]> =>
  await onServer(
    database.url,
    `SELECT (at / 1000.0)::float8 AS at, admitted::integer AS admitted FROM public.admission
      WHERE key = '${hashSecret(token)}' ORDER BY at`,
  );

it.concurrent(
  'refuses a rotated or revoked secret at the next request, and applies new scopes and quotas',
  async () => {
    const { place, serving, url } = world;
    const [rotated, revoked, changed] = await Promise.all([
      newCaller(world),
      newCaller(world),
      newCaller(world),
    ]);
    for (const [caller, command] of [
      [rotated, 'rotate'],
      [revoked, 'revoke'],
    ] as const) {
      const asked: Promise<Asked>[] = [ask(caller, url)];
      await asked[0];
      const asking = setInterval(() => asked.push(ask(caller, url)), 200);
      await place.outpostJson('app', command, caller.id);
      const endedAt = performance.now();
      for (let more = 0; more < 10; more += 1) asked.push(ask(caller, url));
      await delay(2_000);
      clearInterval(asking);
      const answers = await Promise.all(asked);
      expect(statusesOf(answers)).toEqual(new Set([200, 401]));
      expect(statusesOf(answers.filter(({ from }) => from >= endedAt))).toEqual(new Set([401]));
      for (const each of serving) expect((await ask(caller, each.url, '/v1/servers')).status).toBe(401);
    }

    const everywhere = async (path: string): Promise<Set<number>> =>
      statusesOf(await Promise.all(serving.map((each) => ask(changed, each.url, path))));
    expect(await everywhere('/v1/project')).toEqual(new Set([200]));
    await place.outpostJson('app', 'update', changed.id, '--scopes', 'servers:read');
    // Not so often that the quota is used up.
    const often = 500;
    await eventually(async () => expect(await everywhere('/v1/project')).toEqual(new Set([403])), often);
    expect(await everywhere('/v1/servers')).toEqual(new Set([200]));

    await place.configure(config([{ id: changed.id, requestsPerMinute: 1_777 }]));
    serving[0]?.signal('SIGHUP');
    await serving[0]?.logged('config reloaded');
    await eventually(async () => {
      const limits = serving.map(async (each) => {
        const answer = await fetch(`${each.url}/v1/servers`, { headers: headersOf(changed) });
        return answer.headers.get('x-ratelimit-limit');
      });
      expect(new Set(await Promise.all(limits))).toEqual(new Set(['1777']));
    });
  },
);

it.concurrent('queries a game server once in five seconds for 500 askers', async () => {
  const path = '/v1/server/northwood-1/players/online';
  const { url, database } = world;
  const writer = await openWriter(database.url, { busyTimeoutMs: 10_000 });
  const all: LoadCaller[] = [];
  // A token may ask for a list twice in 30 seconds.
  for (let n = 0; n < askers / 2; n += 1) {
    const id = newApplicationId();
    const secret = newSecret();
    const application = {
      id,
      projectSlug: 'northwood',
      name: `Asker ${n}`,
      secretHash: hashSecret(secret),
      scopes,
    };
    await createApplication(writer.db, application, Date.now());
    all.push({ id, secret, token: await register(url, { id, secret }) });
  }
  await writer.close();
  const before = game.queries.players;
  const from = performance.now();
  const asked = await Promise.all([...all, ...all].map((caller) => ask(caller, url, path)));
  const tookMs = performance.now() - from;
  expect(asked).toHaveLength(askers);
  expect(statusesOf(asked)).toEqual(new Set([200]));
  const queries = game.queries.players - before;
  print(`${askers} askers in ${Math.round(tookMs)} ms: ${queries} queries`);
  expect(queries).toBeGreaterThan(0);
  expect(queries).toBeLessThanOrEqual(1 + Math.floor(tookMs / 5_000));
});

it.concurrent(
  'admits 120 requests of a token in any 60 seconds, and all 120, over four processes',
  async () => {
    const all = await bursts;
    for (const [index, caller] of callers.entries()) {
      const asked = all[index] as Asked[];
      expect(statusesOf(asked)).toEqual(new Set([200, 429]));
      const succeeded = asked.filter(({ status }) => status === 200);
      const moments = await admissionsOf(world.database, caller);
      // What the database has recorded is what the callers saw.
      expect(moments.reduce((sum, { admitted }) => sum + admitted, 0)).toBe(succeeded.length);
      const inWindow = moments.map((end) =>
        moments
          .filter(({ at }) => at > end.at - windowMs && at <= end.at)
          .reduce((sum, { admitted }) => sum + admitted, 0),
      );
      expect(Math.max(...inWindow)).toBe(quota);
      // By the callers' clock: whatever lies within a window for certain.
      const certain = succeeded.map(
        (first) =>
          succeeded.filter(({ from, to }) => from >= first.from && to < first.from + windowMs).length,
      );
      expect(Math.max(...certain)).toBeLessThanOrEqual(quota);
      const longest = Math.max(...asked.map(({ from, to }) => to - from));
      print(
        `token ${index + 1}: ${asked.length} requests, ${succeeded.length} admitted; most in 60 s: ${Math.max(...inWindow)} by the database's clock, ${Math.max(...certain)} by the callers' (longest request ${Math.round(longest)} ms)`,
      );
    }
  },
);

it.concurrent.each([stepMs, -stepMs])(
  'locks a token out for a window at most when the clock of the database is set by %d ms',
  async (ms) => {
    await using own = await startWorld(['api', 'api']);
    const { database, url } = own;
    const caller = await newCaller(own);
    const exhaust = Promise.all(Array.from({ length: 200 }, () => ask(caller, url)));
    expect((await exhaust).filter(({ status }) => status === 200)).toHaveLength(quota);
    await stepClock(database, ms);
    const steppedAt = performance.now();
    const statuses = new Set<number>();
    let admittedMs: number | null = null;
    while (admittedMs === null && performance.now() - steppedAt < 2 * windowMs) {
      const { status, to } = await ask(caller, url);
      if (status === 200) admittedMs = to - steppedAt;
      else statuses.add(status);
      await delay(250);
    }
    // The clock was set: its last admission was then.
    const expected = Date.now() + ms;
    const isThen = ({ at }: { at: number }): boolean => Math.abs(at - expected) < stepMs / 2;
    expect((await admissionsOf(database, caller)).filter(isThen)).not.toEqual([]);
    print(`the clock set by ${ms} ms: admitted again after ${Math.round(admittedMs ?? NaN)} ms`);
    // Its connections end with the step.
    expect([...statuses].filter((status) => ![429, 503].includes(status))).toEqual([]);
    // On a slow machine it is seen later; what is locked out for another window is too late.
    expect(admittedMs).toBeLessThan(1.5 * windowMs);
    // Not without a limit.
    const more = await Promise.all(Array.from({ length: 200 }, () => ask(caller, url)));
    expect(more.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(quota);
  },
);
