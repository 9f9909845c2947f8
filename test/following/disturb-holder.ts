import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { seededRandom } from '../../src/demo/random.ts';
import { openWriter } from '../../src/server/store/database.ts';
import { createWorkplace, type Running } from '../harness/outpost-process.ts';
import { createDatabase } from '../harness/postgres-databases.ts';
import { databaseContents } from '../harness/store-digest.ts';
import { createGrowingLog } from './growing-log.ts';
import { configOf, growFor, serverId, settled } from './kill.ts';

const piecesPerTime = 20;
const longestQuietMs = 3_000;
const stoppedMs = 30_000;
const pollMs = 25;

/** `kill`: SIGKILL, and another process starts. `stop`: SIGSTOP for 30 seconds inside an open transaction. */
export type Disturbance = 'kill' | 'stop';

export interface DisturbResult {
  /** How long each time until another process had the lease. */
  takeoverMs: number[];
  disturbed: Record<string, string[]>;
  undisturbed: Record<string, string[]>;
}

/**
 * Lets two real processes share a store on PostgreSQL, and disturbs the one that follows a growing log at random moments.
 * Another one follows it in peace, with a store of its own.
 * @param adminUrl of a database from which others can be created
 * @param throughProxy changes the URL of the store, for the processes
 */
export async function disturbHolder({
  adminUrl,
  throughProxy = (url) => url,
  times,
  seed,
  how,
  onTime,
}: {
  adminUrl: string;
  throughProxy?: (url: string) => string;
  times: number;
  seed: number;
  how: Disturbance;
  onTime?: (takeoverMs: number) => void;
}): Promise<DisturbResult> {
  const random = seededRandom(seed);
  const place = await createWorkplace();
  const database = await createDatabase(adminUrl);
  const client = new Client({ connectionString: database.url });
  try {
    await client.connect();
    const logs = join(place.folder, 'logs');
    await mkdir(logs);
    await place.configure(configOf(logs));
    const log = await createGrowingLog(logs, times * piecesPerTime, random);
    const undisturbed = await place.start({ OUTPOST_DATA: join(place.folder, 'undisturbed') });
    let started = 0;
    const start = async (): Promise<Running> =>
      await place.start({
        OUTPOST_STORE_URL: throughProxy(database.url),
        OUTPOST_ROLES: 'api,follow',
        OUTPOST_DATA: join(place.folder, `data-${(started += 1)}`),
      });
    let running = [await start(), await start()];
    const takeoverMs: number[] = [];
    for (let time = 0; time < times; time += 1) {
      const holder = await holderIn(client, null);
      await growFor(random() * longestQuietMs, () => log.grow(1));
      const held = running.find((one) => one.output().includes(holder));
      if (held === undefined) throw new Error(`no process is ${holder}`);
      const growing = growFor(stoppedMs / 2, () => log.grow(1));
      if (how === 'stop') await stopInTransaction(client, held);
      else held.signal('SIGKILL');
      const stoppedAt = performance.now();
      const next = how === 'kill' ? start() : null;
      await holderIn(client, holder);
      takeoverMs.push(performance.now() - stoppedAt);
      onTime?.(takeoverMs.at(-1) ?? 0);
      await growing;
      if (next === null) {
        await sleep(Math.max(0, stoppedAt + stoppedMs - performance.now()));
        held.signal('SIGCONT');
      } else running = [...running.filter((one) => one !== held), await next];
    }
    await log.grow(log.steps);
    const own = await openWriter(join(place.folder, 'undisturbed', 'outpost.sqlite'), {
      busyTimeoutMs: 10_000,
    });
    const shared = await openWriter(database.url, { busyTimeoutMs: 10_000 });
    try {
      const contents = [];
      for (const { db } of [shared, own]) {
        const read = async () =>
          await db.selectFrom('log_file').select(['path', 'position', 'checkpoint']).execute();
        await settled(read, logs);
        contents.push(await databaseContents(db));
      }
      const [disturbed = {}, peaceful = {}] = contents;
      // PostgreSQL has tables of its own.
      const same = Object.entries(disturbed).filter(([table]) => Object.hasOwn(peaceful, table));
      return { takeoverMs, disturbed: Object.fromEntries(same), undisturbed: peaceful };
    } finally {
      await Promise.all([own.close(), shared.close()]);
      await Promise.all([...running, undisturbed].map((one) => one.stop()));
    }
  } finally {
    await place.remove();
    await client.end();
    await database.drop();
  }
}

/** Waits until another process than `before` holds the server's lease. */
async function holderIn(client: Client, before: string | null): Promise<string> {
  for (;;) {
    const { rows } = await client.query<{ owner: string }>(
      'SELECT owner FROM lease WHERE name = $1 AND expires_at > clock_timestamp()',
      [`follow:${serverId}`],
    );
    const owner = rows[0]?.owner;
    if (owner !== undefined && owner !== before) return owner;
    await sleep(pollMs);
  }
}

/** Stops a process while a transaction of its own waits for a lock, which it then gets. */
async function stopInTransaction(client: Client, held: Running): Promise<void> {
  await client.query('BEGIN');
  await client.query('LOCK TABLE log_file IN EXCLUSIVE MODE');
  const waits = 'SELECT FROM pg_locks WHERE NOT granted AND relation = $1::regclass';
  while ((await client.query(waits, ['log_file'])).rowCount === 0) await sleep(pollMs);
  held.signal('SIGSTOP');
  await client.query('COMMIT');
}
