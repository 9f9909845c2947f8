import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Reader } from '../../engine/database.ts';
import { isExpired, isOwnVersion } from './lease-table.ts';

/** The table `process` of a PostgreSQL store: who is alive, by the database's clock. */

/** A process that has not read the table for this long is taken for dead, and gets no lease. What it holds expires later. */
const aliveMs = 2_000;
const expiry = sql`clock_timestamp() + ${sql.lit(aliveMs)} * interval '1 millisecond'`;

/** Makes this process known, and which leases it may hold. Forgets those that ended long ago. */
export async function registerProcess(db: Database, name: string, mayHold: readonly string[]): Promise<void> {
  const text = JSON.stringify(mayHold);
  const digest = createHash('sha1').update(text).digest('hex');
  await sql`
    WITH gone AS (DELETE FROM process WHERE expires_at < clock_timestamp() - interval '1 hour' AND name <> ${name})
    INSERT INTO process (name, may_hold, digest, expires_at) VALUES (${name}, ${text}, ${digest}, ${expiry})
    ON CONFLICT (name) DO UPDATE
      SET may_hold = excluded.may_hold, digest = excluded.digest, expires_at = excluded.expires_at
  `.execute(db);
}

export async function unregisterProcess(db: Database, name: string): Promise<void> {
  await sql`DELETE FROM process WHERE name = ${name}`.execute(db);
}

/** The processes that are alive. */
export async function listProcesses(db: Reader): Promise<string[]> {
  const rows = await db
    .selectFrom(sql<{ name: string }>`process`.as('process'))
    .select('name')
    .where(sql<boolean>`NOT ${isExpired('process')}`)
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}

/** Reads which processes are alive and what they may hold, which is sent only where it is new. */
export class ProcessView {
  /** Digest → leases. Most processes may hold the same. */
  readonly #lists = new Map<string, string[]>();
  #last: { key: string; processes: ReadonlyMap<string, string[]> } = { key: '', processes: new Map() };

  /**
   * Says that the process is alive, too.
   * @returns process → leases; the same as before where nothing has changed. It is missing itself if it is not registered.
   */
  async read(db: Database, own: string): Promise<ReadonlyMap<string, string[]>> {
    const { rows } = await sql<{ name: string; digest: string; may_hold: string | null }>`
      WITH alive AS (UPDATE process SET expires_at = ${expiry} WHERE name = ${own} AND ${isOwnVersion})
      SELECT name, digest, CASE WHEN digest = ANY(${[...this.#lists.keys()]}::text[]) THEN NULL ELSE may_hold END AS may_hold
      FROM process WHERE name = ${own} OR NOT ${isExpired('process')} ORDER BY name
    `.execute(db);
    for (const { digest, may_hold: text } of rows) {
      if (text !== null && !this.#lists.has(digest)) this.#lists.set(digest, JSON.parse(text) as string[]);
    }
    const used = new Set(rows.map(({ digest }) => digest));
    for (const digest of this.#lists.keys()) if (!used.has(digest)) this.#lists.delete(digest);
    const key = rows.map(({ name, digest }) => `${name} ${digest}`).join();
    if (key !== this.#last.key) {
      const processes = new Map(rows.map(({ name, digest }) => [name, this.#lists.get(digest) ?? []]));
      this.#last = { key, processes };
    }
    return this.#last.processes;
  }
}
