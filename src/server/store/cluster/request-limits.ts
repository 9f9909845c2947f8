import { sql } from 'kysely';
import type { SharedStore, TextRow } from '../engine/connections.ts';
import { arrayText } from '../engine/postgres/text-statements.ts';

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

/**
 * Its commit does not wait for the disk. So a crash of PostgreSQL forgets the requests of its last moments, and as many
 * more are admitted.
 */
const statement =
  'SELECT owner, policy, admitted, remaining, reset, valid, project_id, revision FROM take_requests(' +
  '$1::text[], $2::integer[], $3::text[], $4::bigint[], $5::integer[], $6::text[], $7::bigint[], $8::bigint[], $9::bigint), ' +
  "set_config('synchronous_commit', 'off', true)";

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

export function createRequestLimits({
  texts,
  unlocked,
}: Pick<SharedStore, 'texts' | 'unlocked'>): RequestLimits {
  return {
    async take(groups, clockMs = null) {
      const rows = await texts.run(statement, parametersOf(groups, clockMs));
      const byPolicy = new Map(rows.map((row) => [`${row[0]} ${row[1]}`, row]));
      return groups.map(({ policies }, index) =>
        resultOf(policies.map(({ name }) => byPolicy.get(`${index + 1} ${name}`) as TextRow)),
      );
    },
    async sweep() {
      const nowUs = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000000)::bigint`;
      await sql`DELETE FROM request_limit WHERE (key, policy) IN (
        SELECT key, policy FROM request_limit
        WHERE idle_at <= ${nowUs} AND (SELECT pg_try_advisory_xact_lock(${sweepLock}::bigint)) FOR UPDATE SKIP LOCKED
      )`.execute(unlocked);
    },
  };
}

const sweepLock = 7_813_402_666;

function parametersOf(groups: readonly RequestGroup[], clockMs: number | null): TextRow {
  const rules = groups.flatMap(({ policies }) => policies);
  return [
    arrayText(groups.map(({ key }) => key)),
    arrayText(groups.map(({ wanted }) => wanted)),
    arrayText(groups.map(({ grant }) => grant?.applicationId ?? null)),
    arrayText(groups.map(({ grant }) => grant?.generation ?? null)),
    arrayText(groups.flatMap(({ policies }, index) => policies.map(() => index + 1))),
    arrayText(rules.map(({ name }) => name)),
    arrayText(rules.map(({ quota }) => quota)),
    arrayText(rules.map(({ windowSeconds }) => windowSeconds * 1_000_000)),
    clockMs === null ? null : String(Math.round(clockMs * 1_000)),
  ];
}

/** @param rows one a policy, with the columns of the statement */
function resultOf(rows: readonly TextRow[]): GroupResult {
  const [, , admitted, , , valid, id = null, revision] = rows[0] as TextRow;
  return {
    valid: valid === '1',
    admitted: Number(admitted),
    policies: rows.map(([, , , remaining, reset]) => ({
      remaining: Number(remaining),
      resetMs: Number(reset) / 1_000,
    })),
    project: id === null ? null : { id, revision: Number(revision) },
  };
}
