import { appendFile, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWriter } from '../../src/server/store/database.ts';
import { configOf, serverId } from '../following/kill.ts';
import { createWorkplace, type Running, type Workplace } from '../harness/outpost-process.ts';
import { createDatabase } from '../harness/postgres-databases.ts';
import { type PostgresServer, startPostgres } from '../harness/postgres.ts';

let server: PostgresServer;
let place: Workplace;
beforeAll(async () => {
  server = await startPostgres();
  place = await createWorkplace();
});
afterAll(async () => {
  await place.remove();
  await server.remove();
});

interface State {
  status: string;
  leases: Partial<Record<string, number>>;
}
const stateOf = async ({ url }: Running): Promise<State> =>
  (await (await fetch(`${url}/readyz`)).json()) as State;

// The longer one is longer than leases last.
it.each([2_000, 15_000])(
  'goes on after a restart of PostgreSQL that takes %d ms, and loses nothing',
  async (awayMs) => {
    const { url } = await createDatabase(server.url('postgres'));
    const logs = join(place.folder, `logs-${awayMs}`);
    await mkdir(logs);
    await place.configure(configOf(logs));
    place.environment['OUTPOST_STORE_URL'] = url;
    const file = join(logs, 'DayZServer_x64.ADM');
    const lines = ['AdminLog started on 2024-05-01 at 12:00:00'];
    for (let n = 0; n < 60; n += 1) {
      lines.push(
        `12:00:${String(n).padStart(2, '0')} | Player "P${n}"(id=${String(n).padStart(43, 'A')}=) is connected`,
      );
    }
    const write = async (count: number): Promise<void> =>
      await appendFile(
        file,
        lines
          .splice(0, count)
          .map((line) => `${line}\n`)
          .join(''),
      );
    await write(20);
    const running = [
      await place.start({ OUTPOST_DATA: join(place.folder, `one-${awayMs}`) }),
      await place.start({ OUTPOST_DATA: join(place.folder, `two-${awayMs}`) }),
    ];
    const leases = async (): Promise<number[]> => {
      const states = await Promise.all(running.map(stateOf));
      return ['poll', 'follow', 'upkeep'].map((kind) =>
        states.reduce((sum, state) => sum + (state.leases[kind] ?? 0), 0),
      );
    };
    await expect.poll(leases).toEqual([16, 1, 1]);

    const headers = await place.newCaller(running[0]?.url ?? '', 'p');
    const statuses = new Set<number>();
    const asking = new AbortController();
    const load = (async () => {
      while (!asking.signal.aborted) {
        for (const { url: service } of running) {
          statuses.add((await fetch(`${service}/v1/servers`, { headers })).status);
        }
        await sleep(100);
      }
    })();
    await expect.poll(() => statuses.has(200)).toBe(true);
    await server.stop();
    await write(20);
    await sleep(awayMs);
    expect((await Promise.all(running.map(stateOf))).map(({ status }) => status)).toEqual([
      'unavailable',
      'unavailable',
    ]);
    await server.start();
    await write(lines.length);
    await expect
      .poll(async () => (await Promise.all(running.map(stateOf))).map(({ status }) => status))
      .toEqual(['ready', 'ready']);
    await expect.poll(leases).toEqual([16, 1, 1]);
    asking.abort();
    await load;
    expect(statuses).toContain(503);
    expect([...statuses].filter((status) => status >= 500 && status !== 503)).toEqual([]);

    const { db, close } = await openWriter(url, { busyTimeoutMs: 10_000 });
    try {
      const { size } = await stat(file);
      const position = async () =>
        await db.selectFrom('log_file').select('position').where('server_id', '=', serverId).execute();
      await expect.poll(position).toEqual([{ position: size }]);
      expect(await db.selectFrom('player').select('id').execute()).toHaveLength(60);
    } finally {
      await close();
    }
    await Promise.all(running.map((one) => one.stop()));
  },
);
