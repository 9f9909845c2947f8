import { sql } from 'kysely';
import type { Database } from '../engine/connections.ts';

/** `claim`: this process has to query the server, and to store the answer under this number. */
type LiveListState =
  | { kind: 'claimed'; claim: number }
  | { kind: 'pending' }
  | { kind: 'answered'; answer: string; ageMs: number };

interface ClaimOptions {
  target: string;
  /** For how long an answer is used. */
  freshMs: number;
  /** For how long the process that claims a query may take for it. */
  patienceMs: number;
}

/** Player lists of game servers that all processes share. */
export interface LiveLists {
  /** The fresh answer of a server, or the task to query it if no process does. */
  claim(serverId: string, options: ClaimOptions): Promise<LiveListState>;
  /** Stores an answer for all processes, unless another has claimed the query since. */
  save(serverId: string, claim: number, answer: string): Promise<void>;
  /** Deletes answers that are not used any more: they contain names of players. */
  sweep(): Promise<void>;
}

const keptMs = 60_000;

/**
 * @param db one without the store's write lock
 * @param now epoch milliseconds; default: the database's clock
 */
export function createLiveLists(db: Database, now?: () => number): LiveLists {
  const clock = () =>
    sql<number>`coalesce(${now === undefined ? null : Math.round(now())}::bigint,
      (extract(epoch FROM clock_timestamp()) * 1000)::bigint)`;

  return {
    async claim(serverId, { target, freshMs, patienceMs }) {
      const at = clock();
      // A moment in the future: the clock was set back.
      const isOver = sql<boolean>`live_list.target <> excluded.target OR CASE WHEN live_list.answered_at IS NULL
        THEN excluded.claimed_at NOT BETWEEN live_list.claimed_at AND live_list.claimed_at + ${patienceMs}::bigint
        ELSE excluded.claimed_at NOT BETWEEN live_list.answered_at AND live_list.answered_at + ${freshMs - 1}::bigint
        END`;
      const claimed = await db
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
      const found = await db
        .selectFrom('live_list')
        .select(['answer', sql<number>`greatest(0, ${at} - answered_at)`.as('ageMs')])
        .where('server_id', '=', serverId)
        .where('target', '=', target)
        .where('answered_at', 'is not', null)
        .executeTakeFirst();
      if (found?.answer == null) return { kind: 'pending' };
      return { kind: 'answered', answer: found.answer, ageMs: found.ageMs };
    },
    async save(serverId, claim, answer) {
      await db
        .updateTable('live_list')
        .set({ answer, answered_at: clock() })
        .where('server_id', '=', serverId)
        .where('claim', '=', claim)
        .execute();
    },
    async sweep() {
      const last = sql<number>`coalesce(answered_at, claimed_at)`;
      await db
        .deleteFrom('live_list')
        .where(last, '<', sql<number>`${clock()} - ${keptMs}::bigint`)
        .execute();
    },
  };
}
