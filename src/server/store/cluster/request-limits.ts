import { type RawBuilder, sql } from 'kysely';
import type { SharedStore } from '../engine/connections.ts';

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
}

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

export function createRequestLimits({ unlocked }: Pick<SharedStore, 'unlocked'>): RequestLimits {
  return {
    async take(groups, clockMs = null) {
      const { rows } = await taking(groups, clockMs).execute(unlocked);
      const byPolicy = new Map(rows.map((row) => [`${row.owner} ${row.policy}`, row]));
      return groups.map(({ policies }, index) =>
        resultOf(policies.map(({ name }) => byPolicy.get(`${index + 1} ${name}`) as Taken)),
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

/** A row of `take_requests`, for a policy of the group that is the owner. */
interface Taken {
  owner: number;
  policy: string;
  admitted: number;
  remaining: number;
  /** Microseconds. */
  reset: number;
  valid: number;
}

/**
 * Its commit does not wait for the disk. So a crash of PostgreSQL forgets the requests of its last moments, and as many
 * more are admitted.
 */
function taking(groups: readonly RequestGroup[], clockMs: number | null): RawBuilder<Taken> {
  const rules = groups.flatMap(({ policies }) => policies);
  return sql<Taken>`SELECT owner, policy, admitted, remaining, reset, valid
    FROM take_requests(
      ${groups.map(({ key }) => key)}::text[],
      ${groups.map(({ wanted }) => wanted)}::integer[],
      ${groups.map(({ grant }) => grant?.applicationId ?? null)}::text[],
      ${groups.map(({ grant }) => grant?.generation ?? null)}::bigint[],
      ${groups.flatMap(({ policies }, index) => policies.map(() => index + 1))}::integer[],
      ${rules.map(({ name }) => name)}::text[],
      ${rules.map(({ quota }) => quota)}::bigint[],
      ${rules.map(({ windowSeconds }) => windowSeconds * 1_000_000)}::bigint[],
      ${clockMs === null ? null : Math.round(clockMs * 1_000)}::bigint
    ), set_config('synchronous_commit', 'off', true)`;
}

/** @param rows one a policy */
function resultOf(rows: readonly Taken[]): GroupResult {
  const [{ admitted, valid }] = rows as [Taken];
  return {
    valid: valid === 1,
    admitted,
    policies: rows.map(({ remaining, reset }) => ({ remaining, resetMs: reset / 1_000 })),
  };
}
