import { sql } from 'kysely';
import type { Reader } from '../../engine/database.ts';

/** When the next of a project's bans in force expires, epoch ms; null when none will. */
export async function findNextBanExpiry(db: Reader, projectId: string, now: number): Promise<number | null> {
  // Two steps into the index by end for each list, however many bans it has.
  const { next } = await db
    .selectFrom('ban_list')
    .innerJoin(sql<{ served: number }>`(SELECT 0 AS served UNION ALL SELECT 1)`.as('kind'), (join) =>
      join.onTrue(),
    )
    .select(({ fn, selectFrom }) =>
      fn
        .min<number | null>(
          selectFrom('ban')
            .select('expires_at')
            .whereRef('list_id', '=', 'ban_list.id')
            .whereRef('ban.served', '=', 'kind.served')
            .where('lifted_at', 'is', null)
            .where('expires_at', '>', now)
            .orderBy('expires_at')
            .limit(1),
        )
        .as('next'),
    )
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  return next;
}
