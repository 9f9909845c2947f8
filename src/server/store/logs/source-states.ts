import { sql } from 'kysely';
import { eachChunk } from '../engine/each-chunk.ts';
import type { Database } from '../database.ts';
import type { SourceStateTable } from '../schema.ts';

/** The result of checking a source: either it was read, or it could not be. */
export interface SourceChange {
  kind: string;
  ownerId: string;
  path: string;
  report: object | null;
  error: string | null;
}

/** Stores the results of checking sources. A report stays until the next one; an error ends with the next report. */
export async function saveSourceStates(
  db: Database,
  changes: readonly SourceChange[],
  now: number,
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ kind, ownerId, path, report, error }) => [
    kind,
    ownerId,
    path,
    report === null ? null : JSON.stringify(report),
    report === null ? null : now,
    error,
    error === null ? null : now,
  ]);
  await eachChunk(rows, async (chunk) => {
    await sql`
      INSERT INTO source_state (kind, owner_id, path, report, read_at, error, error_at)
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
      FROM json_each(${JSON.stringify(chunk)}) WHERE true
      ON CONFLICT DO UPDATE SET report = coalesce(excluded.report, report),
        read_at = coalesce(excluded.read_at, read_at), error = excluded.error, error_at = excluded.error_at
    `.execute(db);
  });
}

export async function forgetSourceErrors(db: Database): Promise<void> {
  await db
    .updateTable('source_state')
    .set({ error: null, error_at: null })
    .where('error', 'is not', null)
    .execute();
}

export async function readSourceStates(db: Pick<Database, 'selectFrom'>): Promise<SourceStateTable[]> {
  return await db.selectFrom('source_state').selectAll().execute();
}
