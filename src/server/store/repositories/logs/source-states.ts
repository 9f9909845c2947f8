import { sql } from 'kysely';
import { valuesOf } from '../../engine/dialect.ts';
import type { Database, Reader } from '../../engine/database.ts';
import type { Stored } from '../../engine/schema/schema.ts';
import { upsert } from '../../engine/table-rows.ts';

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
  const rows = changes.map(({ kind, ownerId, path, report, error }) => ({
    kind,
    owner_id: ownerId,
    path,
    report: report === null ? null : JSON.stringify(report),
    read_at: report === null ? null : now,
    error,
  }));
  await upsert(
    db,
    {
      table: 'source_state',
      key: ['kind', 'owner_id', 'path'],
      set: sql`report = coalesce(excluded.report, source_state.report),
        read_at = coalesce(excluded.read_at, source_state.read_at),
        error = excluded.error`,
    },
    rows,
  );
}

/** @param owners the servers and ban lists concerned; null: all */
export async function forgetSourceErrors(db: Database, owners: readonly string[] | null): Promise<void> {
  const all = db.updateTable('source_state').set({ error: null }).where('error', 'is not', null);
  await (owners === null ? all : all.where('owner_id', 'in', valuesOf('text', owners))).execute();
}

/** @param kind left out: those of all kinds */
export async function readSourceStates(db: Reader, kind?: string): Promise<Stored<'source_state'>[]> {
  const states = db.selectFrom('source_state').selectAll();
  return await (kind === undefined ? states : states.where('kind', '=', kind)).execute();
}
