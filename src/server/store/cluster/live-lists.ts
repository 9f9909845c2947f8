import { sql } from 'kysely';
import type { Database } from '../engine/connections.ts';

/** `claimed`: this process has to query the server, and to store the answer under this number. */
type LiveListState =
  | { kind: 'claimed'; claim: number }
  | { kind: 'pending' }
  | { kind: 'answered'; answer: string; ageMs: number };

interface ClaimOptions {
  /** What is queried; a changed config queries another. */
  target: string;
  /** For how long an answer is used. */
  freshMs: number;
  /** For how long the process that claims a query may take for it. */
  patienceMs: number;
}

const keptMs = 60_000;

/** By the database's clock. */
const now = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

export type LiveLists = ReturnType<typeof createLiveLists>;

/**
 * Player lists of game servers that all processes share, in the table `live_list` of PostgreSQL.
 * @param db one without the store's write lock
 */
export function createLiveLists(db: Database) {
  return {
    /** The fresh answer of a server, or the task to query it if no process does. */
    async claim(serverId: string, { target, freshMs, patienceMs }: ClaimOptions): Promise<LiveListState> {
      const claims = await sql<{ claim: number }>`
        INSERT INTO live_list (server_id, target, claim, claimed_at) VALUES (${serverId}, ${target}, 1, ${now})
        ON CONFLICT (server_id) DO UPDATE SET
          target = excluded.target, claim = live_list.claim + 1, claimed_at = excluded.claimed_at,
          answered_at = NULL, answer = NULL
        WHERE live_list.target <> excluded.target OR CASE
          WHEN live_list.answered_at IS NULL THEN live_list.claimed_at + ${patienceMs}::bigint < ${now}
          ELSE live_list.answered_at + ${freshMs}::bigint <= ${now}
        END
        RETURNING claim
      `.execute(db);
      const [claimed] = claims.rows;
      if (claimed !== undefined) return { kind: 'claimed', claim: claimed.claim };
      const answers = await sql<{ answer: string; ageMs: number }>`
        SELECT answer, greatest(0, ${now} - answered_at) AS "ageMs" FROM live_list
        WHERE server_id = ${serverId} AND target = ${target} AND answered_at IS NOT NULL
      `.execute(db);
      const [answered] = answers.rows;
      return answered === undefined ? { kind: 'pending' } : { kind: 'answered', ...answered };
    },
    /** Stores an answer for all processes, unless another has claimed the query since. */
    async save(serverId: string, claim: number, answer: string): Promise<void> {
      await sql`
        UPDATE live_list SET answer = ${answer}, answered_at = ${now}
        WHERE server_id = ${serverId} AND claim = ${claim}
      `.execute(db);
    },
    /** Deletes answers that are not used any more: they contain names of players. */
    async sweep(): Promise<void> {
      await sql`
        DELETE FROM live_list WHERE coalesce(answered_at, claimed_at) < ${now} - ${keptMs}::bigint
      `.execute(db);
    },
  };
}
