import { sql } from 'kysely';
import type { Database } from '../engine/opened.ts';
import { sharedTables } from './tables.ts';

/** `claim`: this process has to query the server, and to store the answer under this number. */
export type LiveListState =
  | { kind: 'claimed'; claim: number }
  | { kind: 'pending' }
  | { kind: 'answered'; answer: string; ageMs: number };

interface ClaimOptions {
  target: string;
  /** For how long an answer is used. */
  freshMs: number;
  /** For how long the process that claims a query may take for it. */
  patienceMs: number;
  /** Epoch milliseconds; null: the database's clock. */
  now?: number | null;
}

const clock = (now: number | null | undefined) =>
  sql<number>`coalesce(${now ?? null}::bigint, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)`;

/** The fresh answer of a server, or the task to query it if no process does. @param db one without the write lock */
export async function claimLiveList(
  db: Database,
  serverId: string,
  { target, freshMs, patienceMs, now }: ClaimOptions,
): Promise<LiveListState> {
  const at = clock(now);
  // A moment in the future: the clock was set back.
  const isOver = sql<boolean>`live_list.target <> excluded.target
    OR excluded.claimed_at NOT BETWEEN live_list.claimed_at AND live_list.claimed_at + ${patienceMs}::bigint
      AND live_list.answered_at IS NULL
    OR excluded.claimed_at NOT BETWEEN live_list.answered_at AND live_list.answered_at + ${freshMs - 1}::bigint`;
  const claimed = await sharedTables(db)
    .insertInto('live_list')
    .values({ server_id: serverId, target, claim: 1, claimed_at: at, answered_at: null, answer: null })
    .onConflict((conflict) =>
      conflict
        .column('server_id')
        .doUpdateSet((row) => ({
          target: row.ref('excluded.target'),
          claim: row('live_list.claim', '+', 1),
          claimed_at: row.ref('excluded.claimed_at'),
          answered_at: null,
          answer: null,
        }))
        .where(isOver),
    )
    .returning('claim')
    .executeTakeFirst();
  if (claimed !== undefined) return { kind: 'claimed', claim: claimed.claim };
  const found = await sharedTables(db)
    .selectFrom('live_list')
    .select(['answer', sql<number>`greatest(0, ${at} - answered_at)`.as('ageMs')])
    .where('server_id', '=', serverId)
    .where('target', '=', target)
    .where('answered_at', 'is not', null)
    .executeTakeFirst();
  if (found?.answer == null) return { kind: 'pending' };
  return { kind: 'answered', answer: found.answer, ageMs: found.ageMs };
}

/** Stores an answer for all processes, unless another has claimed the query since. */
export async function saveLiveList(
  db: Database,
  serverId: string,
  claim: number,
  answer: string,
  now?: number | null,
): Promise<void> {
  await sharedTables(db)
    .updateTable('live_list')
    .set({ answer, answered_at: clock(now) })
    .where('server_id', '=', serverId)
    .where('claim', '=', claim)
    .execute();
}

/** Deletes answers that are not used any more: they contain names of players. */
export async function sweepLiveLists(db: Database): Promise<void> {
  await sharedTables(db)
    .deleteFrom('live_list')
    .where(
      sql<number>`coalesce(answered_at, claimed_at)`,
      '<',
      sql<number>`${clock(null)} - ${keptMs}::bigint`,
    )
    .execute();
}

const keptMs = 60_000;
