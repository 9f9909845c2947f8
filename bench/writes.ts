// How many lines of logs 1, 2 and 4 processes store in one PostgreSQL that is some time away: every server is of a project
// of its own, and its log grows by a line as soon as the last one is stored, so each line is a transaction. Prints lines
// a second, the time of a transaction, its round trips, and the share of a core that a process and PostgreSQL use. Nothing
// is measured before every process stores. Linux only (/proc).
//   npm run bench:writes -- [--servers 24] [--seconds 8] [--processes 1,2] [--delayMs 0,1 each way]
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { configSchema } from '../src/config/schema.ts';
import { openWriter } from '../src/server/store/engine/database.ts';
import { reconcile } from '../src/server/store/repositories/projects/reconcile.ts';
import { createDatabase } from '../test/harness/postgres-databases.ts';
import { durable, startPostgres } from '../test/harness/postgres.ts';
import { type DelayingLink, startDelayingLink } from './delaying-link.ts';
import { cpuSeconds, familyCpuSeconds } from './process-usage.ts';
import type { FollowedServers, Stored } from './writes-load.ts';

const { values } = parseArgs({
  options: {
    servers: { type: 'string', default: '24' },
    seconds: { type: 'string', default: '8' },
    processes: { type: 'string', default: '1,2' },
    delayMs: { type: 'string', default: '0,1' },
  },
});
const numbers = (list: string): number[] => list.split(',').map(Number);
const seconds = Number(values.seconds);
const servers = Array.from({ length: Number(values.servers) }, (_, at) => `server-${at}`);
const folder = await mkdtemp(join(tmpdir(), 'outpost-writes-'));
const postgres = await startPostgres(undefined, durable);
try {
  console.log(
    `${servers.length} projects, ${seconds} s, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}`,
  );
  console.log('ms each way  processes  lines/s  ms/line  round trips  % CPU of each  % CPU of PostgreSQL');
  for (const delayMs of numbers(values.delayMs)) {
    for (const processes of numbers(values.processes)) console.log(await measure(delayMs, processes));
  }
} finally {
  await postgres.remove();
  await rm(folder, { recursive: true });
}

async function measure(delayMs: number, processes: number): Promise<string> {
  const database = await createDatabase(postgres.url('postgres'));
  const link = await startDelayingLink(postgres.port, delayMs);
  const url = new URL(database.url);
  url.port = String(link.port);
  const writer = await openWriter(database.url, { busyTimeoutMs: 60_000 });
  await reconcile(writer.db, configSchema.parse({ projects: servers.map(projectOf) }));
  await writer.close();
  const logs = join(folder, database.name);
  await mkdir(logs);
  const children = await Promise.all(
    Array.from({ length: processes }, async (_, at) => {
      const child = fork(fileURLToPath(new URL('writes-load.ts', import.meta.url)));
      const own = servers.filter((_, index) => index % processes === at);
      child.send({ url: url.href, folder: logs, servers: own } satisfies FollowedServers);
      await once(child, 'message');
      return child;
    }),
  );
  await sleep(2_000);
  const before = await state(children, link);
  await sleep(seconds * 1000);
  const after = await state(children, link);
  const ended = children.map(async (child) => await once(child, 'exit'));
  for (const child of children) child.kill();
  await Promise.all(ended);
  await link.close();
  await database.drop();
  const lines = after.lines - before.lines;
  const took = (after.at - before.at) / 1000;
  const percent = (used: number): string => ((100 * used) / took).toFixed(0);
  return [
    String(delayMs).padStart(11),
    String(processes).padStart(10),
    (lines / took).toFixed(0).padStart(8),
    ((1000 * took * servers.length) / lines).toFixed(0).padStart(8),
    ((after.sent - before.sent) / lines).toFixed(1).padStart(12),
    percent((after.own - before.own) / processes).padStart(14),
    percent(after.postgres - before.postgres).padStart(20),
  ].join(' ');
}

async function state(children: readonly ChildProcess[], link: DelayingLink) {
  const stored = children.map(async (child) => {
    child.send('');
    return ((await once(child, 'message')) as [Stored])[0].lines;
  });
  const own = await Promise.all(children.map(({ pid }) => cpuSeconds(pid as number)));
  const lines = (await Promise.all(stored)).reduce((sum, one) => sum + one, 0);
  return {
    at: performance.now(),
    lines,
    sent: link.sent,
    own: own.reduce((sum, one) => sum + one, 0),
    postgres: await familyCpuSeconds(postgres.pid()),
  };
}

function projectOf(id: string) {
  const server = { id, name: id, game: 'dayz', host: '127.0.0.1', port: 2302, timezone: 'UTC' };
  return { slug: id, name: id, servers: [server] };
}
