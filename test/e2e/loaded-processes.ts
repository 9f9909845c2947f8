import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import type { ConfigInput } from '../../src/config/schema.ts';
import { createWorkplace, type Running, type Workplace } from '../harness/outpost-process.ts';
import { createDatabase, onServer } from '../harness/postgres-databases.ts';
import { type PostgresServer, startPostgres } from '../harness/postgres.ts';
import {
  type LoadAnswer,
  type LoadCaller,
  register,
  startSteadyLoad,
  type SteadyLoad,
} from '../harness/steady-load.ts';

export interface LoadedOptions {
  config: ConfigInput;
  /** The roles of each process. */
  roles: readonly string[];
  /** Variables of every process. */
  environment?: Record<string, string>;
  perSecond?: number;
  /** Changes the URL of the store, for the processes. */
  route?: (url: string) => Promise<string>;
}

/** Real processes on one PostgreSQL of their own, of which those that serve are asked without pause. */
export interface LoadedProcesses {
  server: PostgresServer;
  place: Workplace;
  running: Running[];
  /** Those with the role `api`. */
  serving: Running[];
  load: SteadyLoad;
  /** The database, by its own URL and its superuser. */
  url: string;
  database: string;
  /** The URL of another database, for administration. */
  admin: string;
  /** What `/readyz` of each process that serves answers. */
  readiness(): Promise<number[]>;
  /** How long it takes until every process that serves is ready. */
  untilReady(): Promise<number>;
  /** Waits until every request of the last two seconds that was answered succeeded. */
  untilAnswered(): Promise<void>;
  /**
   * Waits until no process has logged a trouble of the store without its end, which is logged once nothing has failed for ten
   * seconds. Until then a process does not log the same trouble again.
   */
  untilTroublesEnded(): Promise<void>;
  /** What the processes log from now on; each function returns the lines of a process so far. */
  logsFromNow(): (() => LogLine[])[];
  /** Asks every process with each token that was issued; returns the statuses. */
  tryTokens(): Promise<Set<number>>;
  close(): Promise<void>;
}

export interface LogLine {
  level: string;
  msg: string;
}

export const role = { name: 'service', password: 'first' };

/** A bound of the requirements: the processes are ready again this long after the database is. */
export const readyWithinMs = 15_000;

export async function startLoaded({
  config,
  roles,
  environment = {},
  perSecond = 50,
  route = async (url) => url,
}: LoadedOptions): Promise<LoadedProcesses> {
  const server = await startPostgres();
  const place = await createWorkplace();
  const admin = server.url('postgres');
  const database = await createDatabase(admin);
  await onServer(
    admin,
    // Unlike a superuser, it is bound by limits.
    `CREATE ROLE ${role.name} LOGIN PASSWORD '${role.password}'`,
    `ALTER DATABASE "${database.name}" OWNER TO ${role.name}`,
    // A server that is killed must have written what it has confirmed.
    `ALTER DATABASE "${database.name}" SET synchronous_commit = on`,
  );
  const own = Object.assign(new URL(database.url), { username: role.name, password: role.password });
  place.environment['OUTPOST_STORE_URL'] = await route(own.href);
  await place.configure(config);
  const running = await Promise.all(
    roles.map((OUTPOST_ROLES, index) =>
      place.start({ ...environment, OUTPOST_ROLES, OUTPOST_DATA: join(place.folder, `data-${index}`) }),
    ),
  );
  const serving = running.filter((_, index) => roles[index]?.includes('api'));
  const urls = serving.map(({ url }) => url);
  const callers: LoadCaller[] = [];
  for (const { slug } of config.projects.slice(0, 1)) {
    for (const name of ['One', 'Two']) {
      const make = ['--project', slug, '--name', name, '--scopes', 'all'];
      const { id, secret } = await place.outpostJson('app', 'create', ...make);
      callers.push({ id, secret, token: await register(urls[0] as string, { id, secret }) });
    }
  }
  await onServer(database.url, 'UPDATE application SET requests_per_minute = 1000000');
  const paths = ['/v1/servers', '/v1/project', '/v1/leaderboards?metric=DEATHS', '/v1/banlists'];
  const load = startSteadyLoad({ urls, callers, perSecond, paths, registerEvery: 60 });

  const readiness = async (): Promise<number[]> =>
    await Promise.all(urls.map(async (url) => (await fetch(`${url}/readyz`)).status));
  return {
    server,
    place,
    running,
    serving,
    load,
    url: database.url,
    database: database.name,
    admin,
    readiness,
    async untilReady() {
      const from = performance.now();
      while ((await readiness()).some((status) => status !== 200)) {
        if (performance.now() - from > 120_000) throw new Error('not ready after two minutes');
        await delay(50);
      }
      return performance.now() - from;
    },
    async untilAnswered() {
      const ofLate = () => statusesOf(load.since(performance.now() - 2_000));
      await eventually(() => expect(ofLate()).toEqual(new Set([200])));
    },
    async untilTroublesEnded() {
      await eventually(() => expect(running.filter(isInTrouble)).toEqual([]));
    },
    logsFromNow: () =>
      running.map((process) => {
        const before = linesOf(process).length;
        return () => linesOf(process).slice(before);
      }),
    async tryTokens() {
      const statuses = new Set<number>();
      for (const { id, token } of load.issued) {
        const headers = { 'User-Agent': id, Authorization: `Bearer ${token}` };
        for (const url of urls) {
          // A 503 says nothing of the token: the machine was too busy to check it.
          await eventually(async () => {
            const { status } = await fetch(`${url}/v1/project`, { headers });
            expect(status).not.toBe(503);
            statuses.add(status);
          });
        }
      }
      return statuses;
    },
    async close() {
      await load.stop();
      await place.remove();
      await server.remove();
    },
  };
}

/** The whole lines of a log. Others are warnings of Node.js, or have not yet arrived to their end. */
const linesOf = ({ output }: Running): LogLine[] =>
  Array.from(output().matchAll(/^{.*}\n/gm), ([line]) => JSON.parse(line) as LogLine);

const reportsTrouble = /^cannot use the store at /;
const reportsEnd = /^the store (?:answers again|can be written again)$/;

/** Whether the latest that a process has logged of the store is that it cannot be used. */
function isInTrouble(process: Running): boolean {
  const latest = linesOf(process).findLast(({ msg }) => reportsTrouble.test(msg) || reportsEnd.test(msg));
  return latest !== undefined && reportsTrouble.test(latest.msg);
}

/** Every request was answered: with data, or by 503 in the form that the contract has for it. */
export function expectOnly503(answers: readonly LoadAnswer[], failures: readonly string[]): void {
  expect(failures).toEqual([]);
  const others = answers.filter(({ status }) => status !== 200);
  const forms = others.map(({ status, error, retryAfter }) => `${status} ${error} after ${retryAfter} s`);
  expect([...new Set(forms)].filter((form) => form !== '503 service_unavailable after 2 s')).toEqual([]);
}

/** Waits until a check passes. Unlike `expect.poll`, it may be used by tests that run side by side. */
export const eventually = async (check: () => void | Promise<void>, everyMs = 50): Promise<void> =>
  await vi.waitFor(check, { timeout: 60_000, interval: everyMs });

export const statusesOf = (answers: readonly LoadAnswer[]): Set<number> =>
  new Set(answers.map(({ status }) => status));

/** The answers in a line, for the report of a run. */
export function summary(answers: readonly LoadAnswer[]): string {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  const longest = Math.max(0, ...answers.map(({ from, to }) => to - from));
  return `${[...counts].map(([status, count]) => `${count} × ${status}`).join(', ')}; longest ${Math.round(longest)} ms`;
}

/** Prints figures of a run. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
