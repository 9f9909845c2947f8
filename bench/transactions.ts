// Measures the longest write transaction of each kind of work that grows with the data, on SQLite and on PostgreSQL:
// all other writers of the store wait for it. Prints the seconds that the work takes, and those of CPU in this process and
// in PostgreSQL, the number of its transactions, the longest of them (with its share of the CPU time, which other programs
// disturb less), and on PostgreSQL the most statements in one. Starts a PostgreSQL of its own. Linux only (/proc). An import
// beside servers that are followed: bench:writes -- --importLines.
//   npm run bench:transactions -- [--players 200000] [--rows 50000] [--lines 300000] [--only NAME] [--engine sqlite|postgres]
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { TransactionBuilder } from 'kysely';
import { PostgresConnection } from '../src/server/store/engine/postgres/connection.ts';
import { openWriter } from '../src/server/store/engine/database.ts';
import { createDatabase } from '../test/harness/postgres-databases.ts';
import { startPostgres } from '../test/harness/postgres.ts';
import { familyCpuSeconds } from './process-usage.ts';
import { prepare, works } from './transactions-work.ts';

const { values } = parseArgs({
  options: {
    players: { type: 'string', default: '200000' },
    rows: { type: 'string', default: '50000' },
    lines: { type: 'string', default: '300000' },
    only: { type: 'string', default: '' },
    engine: { type: 'string', default: '' },
  },
});
const size = { players: Number(values.players), rows: Number(values.rows), lines: Number(values.lines) };

/** What is measured of a piece of work. */
const measured = { transactions: 0, longestMs: 0, mostStatements: 0 };
let statements = 0;

const { execute } = TransactionBuilder.prototype;
/** From when it holds the write lock until it has been committed. */
TransactionBuilder.prototype.execute = async function executeMeasured(this: never, work: never) {
  let begunAt = 0;
  const result: unknown = await execute.call(this, async (tx: unknown) => {
    begunAt = performance.now();
    statements = 0;
    return await (work as (tx: unknown) => Promise<unknown>)(tx);
  });
  measured.transactions += 1;
  measured.longestMs = Math.max(measured.longestMs, performance.now() - begunAt);
  measured.mostStatements = Math.max(measured.mostStatements, statements);
  return result as never;
};
const { executeQuery } = PostgresConnection.prototype;
PostgresConnection.prototype.executeQuery = async function executeCounted(query) {
  statements += 1;
  return (await executeQuery.call(this, query)) as never;
};

const folder = mkdtempSync(join(tmpdir(), 'outpost-transactions-'));
try {
  if (values.engine !== 'postgres') await measure('sqlite', join(folder, 'store.sqlite'), async () => 0);
  if (values.engine !== 'sqlite') {
    const server = await startPostgres();
    try {
      const { url } = await createDatabase(server.url('postgres'));
      await measure('postgres', url, async () => await familyCpuSeconds(server.pid()));
    } finally {
      await server.remove();
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(engine: string, location: string, serverCpu: () => Promise<number>): Promise<void> {
  const { db, close } = await openWriter(location, { busyTimeoutMs: 60_000 });
  try {
    await prepare(db, { ...size, folder });
    console.log(
      `\n${engine}, ${size.players} players      seconds  CPU here  CPU there  transactions  longest s  its CPU  statements   load`,
    );
    for (const [name, { before, work }] of Object.entries(works)) {
      if (!name.startsWith(values.only)) continue;
      await before?.(db, { ...size, folder });
      Object.assign(measured, { transactions: 0, longestMs: 0, mostStatements: 0 });
      const [here, there] = [process.cpuUsage(), await serverCpu()];
      const startedAt = performance.now();
      let failure = '';
      try {
        await work(db, { ...size, folder });
      } catch (error) {
        failure = `   failed: ${(error as Error).message}`;
      }
      const seconds = (performance.now() - startedAt) / 1000;
      const used = process.cpuUsage(here);
      const [cpuHere, cpuThere] = [(used.user + used.system) / 1e6, (await serverCpu()) - there];
      const longest = measured.longestMs / 1000;
      console.log(
        [
          name.padEnd(30),
          seconds.toFixed(2).padStart(10),
          cpuHere.toFixed(2).padStart(9),
          cpuThere.toFixed(2).padStart(10),
          String(measured.transactions).padStart(13),
          longest.toFixed(2).padStart(10),
          (((cpuHere + cpuThere) * longest) / seconds).toFixed(2).padStart(8),
          (engine === 'postgres' ? String(measured.mostStatements) : '').padStart(11),
          (loadavg()[0] ?? 0).toFixed(1).padStart(6),
        ].join(' ') + failure,
      );
    }
  } finally {
    await close();
  }
}
