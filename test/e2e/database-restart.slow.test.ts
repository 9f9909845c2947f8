import { appendFile, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { limitConcurrency } from '../../src/process/concurrency-limit.ts';
import { openWriter } from '../../src/server/store/engine/database.ts';
import { configOf, serverId } from '../following/kill.ts';
import type { Running } from '../harness/outpost-process.ts';
import {
  eventually,
  expectOnly503,
  type LoadedProcesses,
  print,
  readyWithinMs,
  startLoaded,
  statusesOf,
  summary,
} from './loaded-processes.ts';

/** They wait most of the time. */
const limit = limitConcurrency(3);

/** The admin log of a game server that somebody new connects to again and again. */
interface ConnectLog {
  file: string;
  lines: number;
  begin(): void;
  end(): Promise<void>;
}

async function createLog(folder: string): Promise<ConnectLog> {
  await mkdir(folder);
  const file = join(folder, 'DayZServer_x64.ADM');
  await appendFile(file, 'AdminLog started on 2024-05-01 at 12:00:00\n');
  const over = new AbortController();
  let written = Promise.resolve();
  const write = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const n = (log.lines += 1);
      const at = new Date(Date.UTC(2024, 4, 1, 12) + n * 1_000).toISOString().slice(11, 19);
      const id = String(n).padStart(43, 'A');
      await appendFile(file, `${at} | Player "P${n}"(id=${id}=) is connected\n`);
      await delay(100);
    }
  };
  const log: ConnectLog = {
    file,
    lines: 0,
    begin: () => void (written = write()),
    async end() {
      over.abort();
      await written;
    },
  };
  return log;
}

const stateOf = async ({ url }: Running): Promise<string> =>
  ((await (await fetch(`${url}/readyz`)).json()) as { status: string }).status;
/** How many leases somebody holds. */
async function leasesOf({ url }: LoadedProcesses): Promise<number[]> {
  const { db, close } = await openWriter(url);
  try {
    const { rows } = await sql<{ name: string }>`
      SELECT name FROM lease WHERE expires_at > clock_timestamp()`.execute(db);
    return ['poll', 'follow', 'upkeep'].map(
      (kind) => rows.filter(({ name }) => name.split(':')[0] === kind).length,
    );
  } finally {
    await close();
  }
}
const everyLease = [16, 1, 1];

// The longer times are longer than leases last.
it.concurrent.each([
  ['fast shutdown', 'SIGINT', 15_000],
  ['kill -9', 'SIGKILL', 15_000],
  ['fast shutdown', 'SIGINT', 2_000],
  ['immediate shutdown', 'SIGQUIT', 2_000],
  ['kill -9', 'SIGKILL', 2_000],
] as const)(
  'goes on after a restart of PostgreSQL under load, and loses nothing: %s (%s), away for %d ms',
  async (name, how, awayMs) => {
    await limit.run(async () => {
      const folder = await mkdtemp(join(tmpdir(), 'outpost-restart-'));
      const log = await createLog(join(folder, 'logs'));
      const loaded = await startLoaded({
        config: configOf(join(folder, 'logs')),
        roles: ['api,poll,follow', 'api,poll,follow'],
      });
      try {
        await restart(loaded, log, name, how, awayMs);
      } finally {
        await log.end();
        await loaded.close();
        await rm(folder, { recursive: true, force: true });
      }
    });
  },
);

async function restart(
  loaded: LoadedProcesses,
  log: ConnectLog,
  name: string,
  how: 'SIGINT' | 'SIGQUIT' | 'SIGKILL',
  awayMs: number,
): Promise<void> {
  const { load, server, url, running } = loaded;
  const leases = async () => await leasesOf(loaded);
  await eventually(async () => expect(await leases()).toEqual(everyLease));
  log.begin();
  await eventually(() => expect(log.lines).toBeGreaterThan(10));
  await loaded.untilAnswered();
  const begunAt = performance.now();
  await server.stop(how);
  const away = delay(awayMs);
  const states = async () => await Promise.all(running.map(stateOf));
  await eventually(async () => expect(await states()).toEqual(['unavailable', 'unavailable']));
  await eventually(() => expect(statusesOf(load.since(begunAt))).toContain(503));
  await away;
  expect(await states()).toEqual(['unavailable', 'unavailable']);
  await server.start();
  const readyMs = await loaded.untilReady();
  await eventually(async () => expect(await leases()).toEqual(everyLease));
  await loaded.untilAnswered();
  await log.end();
  const answers = load.since(begunAt);
  print(`${name}, away for ${awayMs} ms: ${summary(answers)}; ready after ${Math.round(readyMs)} ms`);
  expect(readyMs).toBeLessThan(readyWithinMs);
  expectOnly503(answers, load.failures);
  // Every token that was issued is still one.
  expect(await loaded.tryTokens()).toEqual(new Set([200]));

  const { db, close } = await openWriter(url);
  try {
    const { size } = await stat(log.file);
    const position = async () =>
      await db.selectFrom('log_file').select('position').where('server_id', '=', serverId).execute();
    await eventually(async () => expect(await position()).toEqual([{ position: size }]));
    expect(await db.selectFrom('player').select('id').execute()).toHaveLength(log.lines);
  } finally {
    await close();
  }
}
