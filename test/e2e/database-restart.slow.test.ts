import { appendFile, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWriter } from '../../src/server/store/engine/database.ts';
import { configOf, serverId } from '../following/kill.ts';
import type { Running } from '../harness/outpost-process.ts';
import {
  expectOnly503,
  type LoadedProcesses,
  print,
  readyWithinMs,
  startLoaded,
  summary,
} from './loaded-processes.ts';

let folder: string;
let loaded: LoadedProcesses;
let log: string;
let lines = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'outpost-restart-'));
  const logs = join(folder, 'logs');
  await mkdir(logs);
  log = join(logs, 'DayZServer_x64.ADM');
  await appendFile(log, 'AdminLog started on 2024-05-01 at 12:00:00\n');
  loaded = await startLoaded({ config: configOf(logs), roles: ['api,poll,follow', 'api,poll,follow'] });
});
afterAll(async () => {
  await loaded.close();
  await rm(folder, { recursive: true, force: true });
});

/** Writes a line of the admin log: somebody who was never there before. */
async function writeLine(): Promise<void> {
  const n = (lines += 1);
  const at = new Date(Date.UTC(2024, 4, 1, 12) + n * 1_000).toISOString().slice(11, 19);
  const id = String(n).padStart(43, 'A');
  await appendFile(log, `${at} | Player "P${n}"(id=${id}=) is connected\n`);
}

interface State {
  status: string;
  leases: Partial<Record<string, number>>;
}
const stateOf = async ({ url }: Running): Promise<State> =>
  (await (await fetch(`${url}/readyz`)).json()) as State;
async function leases(): Promise<number[]> {
  const states = await Promise.all(loaded.running.map(stateOf));
  return ['poll', 'follow', 'upkeep'].map((kind) =>
    states.reduce((sum, { leases: held }) => sum + (held[kind] ?? 0), 0),
  );
}
const everyLease = [16, 1, 1];

// The longer times are longer than leases last.
it.each([
  ['fast shutdown', 'SIGINT', 2_000],
  ['fast shutdown', 'SIGINT', 15_000],
  ['immediate shutdown', 'SIGQUIT', 2_000],
  ['kill -9', 'SIGKILL', 2_000],
  ['kill -9', 'SIGKILL', 15_000],
] as const)(
  'goes on after a restart of PostgreSQL under load, and loses nothing: %s (%s), away for %d ms',
  async (name, how, awayMs) => {
    const { load, server, url } = loaded;
    await expect.poll(leases).toEqual(everyLease);
    const writing = new AbortController();
    const written = (async () => {
      while (!writing.signal.aborted) {
        await writeLine();
        await delay(100);
      }
    })();
    await delay(2_000);
    const begunAt = performance.now();
    await server.stop(how);
    await delay(awayMs);
    expect((await Promise.all(loaded.running.map(stateOf))).map(({ status }) => status)).toEqual([
      'unavailable',
      'unavailable',
    ]);
    await server.start();
    const readyMs = await loaded.untilReady();
    await expect.poll(leases).toEqual(everyLease);
    await delay(2_000);
    writing.abort();
    await written;
    const answers = load.since(begunAt);
    print(`${name}, away for ${awayMs} ms: ${summary(answers)}; ready after ${Math.round(readyMs)} ms`);
    expect(readyMs).toBeLessThan(readyWithinMs);
    expectOnly503(answers, load.failures);
    expect(answers.map(({ status }) => status)).toContain(503);
    expect(answers.at(-1)?.status).toBe(200);
    // Every token that was issued is still one.
    expect(await loaded.tryTokens()).toEqual(new Set([200]));

    const { db, close } = await openWriter(url, { busyTimeoutMs: 10_000 });
    try {
      const { size } = await stat(log);
      const position = async () =>
        await db.selectFrom('log_file').select('position').where('server_id', '=', serverId).execute();
      await expect.poll(position).toEqual([{ position: size }]);
      expect(await db.selectFrom('player').select('id').execute()).toHaveLength(lines);
    } finally {
      await close();
    }
  },
);
