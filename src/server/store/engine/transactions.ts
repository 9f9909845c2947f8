import { setTimeout as sleep } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from './connections.ts';
import { isPostgres } from './dialect.ts';

/*
 * A transaction writes statement by statement, in the order of its code. SQLite has one writer at a time anyway. On PostgreSQL
 * the writers of a project follow one another: each begins by waiting for the project's lock, which is released with its
 * transaction. A transaction that failed because of another one is done again, so its work may be called several times.
 */

/** A transaction of the whole store holds this advisory lock alone, those of projects hold it together. */
export const storeLock = 7_813_402_665;
/** The other locks are pairs of one of these and a hash: two names with one hash only wait for each other. */
const projectLocks = 781_340_266;
const valueLocks = 781_340_267;

const lockStore = sql`SELECT pg_advisory_xact_lock(${sql.lit(storeLock)})`;
const lockProject = (id: string) => sql`
  SELECT pg_advisory_xact_lock_shared(${sql.lit(storeLock)}), pg_advisory_xact_lock(${sql.lit(projectLocks)}, hashtext(${id}))
`;
const lockValue = (name: string) =>
  sql`SELECT pg_advisory_xact_lock(${sql.lit(valueLocks)}, hashtext(${name}))`;

/** PostgreSQL's codes for work that failed because of another transaction: it could not be serialized, or they waited for each other. */
const conflict = /^40(?:001|P01)$/;
/** One attempt takes a second: PostgreSQL looks for a deadlock after that time. */
const mostAttempts = 5;

/** Does work again that failed because of another transaction. */
export async function repeated<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const { code } = error as { code?: unknown };
      if (!conflict.test(String(code)) || attempt === mostAttempts) throw error;
    }
  }
}

/** A transaction that waits for no lock but those of its rows. */
export async function write<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  return await repeated(() => db.transaction().execute(work));
}

/** A transaction that writes the config, which servers there are, or who is forgotten or hidden: projects are not written meanwhile. */
export async function writeStore<T>(db: Database, work: (tx: Database) => Promise<T>): Promise<T> {
  return await writeLocked(db, lockStore, work);
}

/** A transaction that waits for a lock on PostgreSQL. */
async function writeLocked<T>(
  db: Database,
  lock: RawBuilder<unknown>,
  work: (tx: Database) => Promise<T>,
): Promise<T> {
  return await write(db, async (tx) => {
    if (isPostgres(tx)) await lock.execute(tx);
    return await work(tx);
  });
}

/**
 * A transaction that writes players, logs or bans of a project. Where `requireWholeStore` finds that other projects are concerned,
 * `work` is done again in one of the whole store.
 */
export async function writeProject<T>(
  db: Database,
  projectId: string,
  work: (tx: Database) => Promise<T>,
): Promise<T> {
  try {
    return await writeLocked(db, lockProject(projectId), async (tx) => {
      if (isPostgres(tx)) ofProject.add(tx);
      return await work(tx);
    });
  } catch (error) {
    if (!(error instanceof ConcernsOthers)) throw error;
    return await writeStore(db, work);
  }
}

/** In a transaction of a project: what it is about to write concerns others as well. */
class ConcernsOthers extends Error {}

/** The transactions of `writeProject` on PostgreSQL. With SQLite there is one writer at a time. */
const ofProject = new WeakSet<Database>();

/**
 * To be called before rows of other projects are written.
 * @throws in a transaction of `writeProject`, which then repeats its work
 */
export function requireWholeStore(tx: Database): void {
  if (ofProject.has(tx)) throw new ConcernsOthers('a transaction of a project was about to write others');
}

/** A transaction that reads a value and writes it again: it waits for others with the same name. */
export async function writeValue<T>(
  db: Database,
  name: string,
  work: (tx: Database) => Promise<T>,
): Promise<T> {
  return await writeLocked(db, lockValue(name), work);
}

/** Longer than a writer of another connection to SQLite waits until it tries again (`writer-dialect.ts`). */
const pauseMs = 15;

/** Between two transactions of a backlog: lets other writers go first. */
export async function letOthersWrite(): Promise<void> {
  await sleep(pauseMs);
}
