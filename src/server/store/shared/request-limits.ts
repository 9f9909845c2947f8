import { CompiledQuery, sql } from 'kysely';
import type { Database } from '../engine/opened.ts';

/** Equal requests. */
export interface RequestGroup {
  /** No two groups of a call have the same. */
  key: string;
  /** How many requests are to be admitted; 0 only asks. */
  wanted: number;
  /** Admitted only if the application still has this generation and is not revoked; null: for no application. */
  grant: { applicationId: string; generation: number } | null;
  policies: readonly { name: string; quota: number; windowSeconds: number }[];
}

export interface GroupResult {
  /** False: the grant is not valid any more, and nothing was counted. */
  valid: boolean;
  admitted: number;
  /** After the admissions, in the order of the group's policies. */
  policies: { remaining: number; resetMs: number }[];
  /** The revision of the application's project; null: there is no application. */
  project: { id: string; revision: number } | null;
}

interface Row {
  owner: number;
  policy: string;
  admitted: number;
  remaining: number;
  reset: number;
  valid: number;
  project_id: string | null;
  revision: number | null;
}

const statement =
  'SELECT * FROM take_requests($1::text[], $2::integer[], $3::text[], $4::bigint[], $5::integer[], $6::text[], ' +
  '$7::bigint[], $8::bigint[], $9::bigint)';

/** The counts of requests that all processes share. */
export interface RequestLimits {
  /**
   * Admits requests in one statement; see the migration of `take_requests`.
   * @param clockMs the moment of admission; null: the database's clock
   * @throws StoreUnavailable
   */
  take(groups: readonly RequestGroup[], clockMs?: number | null): Promise<GroupResult[]>;
  /** Deletes what does not count any more. One process at a time does it. */
  sweep(): Promise<void>;
}

/** @param db one without the store's write lock, because the rows have locks of their own */
export function createRequestLimits(db: Database): RequestLimits {
  return {
    async take(groups, clockMs = null) {
      const { rows } = await db.executeQuery<Row>(
        CompiledQuery.raw(statement, parametersOf(groups, clockMs)),
      );
      const byPolicy = new Map(rows.map((row) => [`${row.owner} ${row.policy}`, row]));
      return groups.map(({ policies }, index) =>
        resultOf(policies.map(({ name }) => byPolicy.get(`${index + 1} ${name}`) as Row)),
      );
    },
    async sweep() {
      const nowUs = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000000)::bigint`;
      await sql`DELETE FROM request_limit WHERE (key, policy) IN (
        SELECT key, policy FROM request_limit
        WHERE idle_at <= ${nowUs} AND (SELECT pg_try_advisory_xact_lock(${sweepLock}::bigint)) FOR UPDATE SKIP LOCKED
      )`.execute(db);
    },
  };
}

const sweepLock = 7_813_402_666;

function parametersOf(groups: readonly RequestGroup[], clockMs: number | null): unknown[] {
  const rules = groups.flatMap(({ policies }, index) =>
    policies.map((policy) => ({ owner: index + 1, ...policy })),
  );
  return [
    groups.map(({ key }) => key),
    groups.map(({ wanted }) => wanted),
    groups.map(({ grant }) => grant?.applicationId ?? null),
    groups.map(({ grant }) => grant?.generation ?? null),
    rules.map(({ owner }) => owner),
    rules.map(({ name }) => name),
    rules.map(({ quota }) => quota),
    rules.map(({ windowSeconds }) => windowSeconds * 1_000_000),
    clockMs === null ? null : Math.round(clockMs * 1_000),
  ];
}

/** @param rows one a policy */
function resultOf(rows: readonly Row[]): GroupResult {
  const { valid, admitted, project_id: id, revision } = rows[0] as Row;
  return {
    valid: valid === 1,
    admitted,
    policies: rows.map(({ remaining, reset }) => ({ remaining, resetMs: reset / 1_000 })),
    project: id === null ? null : { id, revision: revision ?? 0 },
  };
}
