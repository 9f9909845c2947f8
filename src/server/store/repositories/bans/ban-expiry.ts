import { sql } from 'kysely';
import { joinInOrder, valuesOf } from '../../engine/dialect.ts';
import { eachChunk } from '../../engine/each-chunk.ts';
import type { Database, Reader } from '../../engine/database.ts';
import { byProject } from '../../engine/scopes.ts';
import { writeTogether } from '../../engine/send-together.ts';
import { updates } from '../../engine/table-rows.ts';
import { chooseServedBans } from './served-bans.ts';

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

/**
 * Stops serving bans that have ended. Reads check the end themselves; retiring keeps them from stepping over years of
 * ended bans. Commits nothing when none has ended.
 */
export async function retireEndedBans(db: Database, now: number): Promise<void> {
  // In order: one step into the index by end for each list, instead of all bans that have an end.
  const { rows: ended } = await sql<{ id: number; project_id: string }>`
    SELECT ban.id, ban_list.project_id FROM ban_list ${joinInOrder} ban ON ban.list_id = ban_list.id
    WHERE ban.served = 1 AND ban.lifted_at IS NULL AND ban.expires_at <= ${now}
  `.execute(db);
  for (const { own, rows } of byProject(db, ended)) {
    const ids = rows.map(({ id }) => id);
    await eachChunk(ids, async (chunk) => {
      await own
        .updateTable('ban')
        .set({ served: 0 })
        .where('id', 'in', valuesOf('integer', chunk))
        .where('lifted_at', 'is', null)
        .where('expires_at', '<=', now)
        .execute();
    });
  }
}

/**
 * Serves bans again that were retired while the wall clock was ahead of its present time. Where another ban of the
 * player is served, that one ends later.
 */
async function reinstateBans(db: Database, now: number): Promise<void> {
  const { rows: retired } = await sql<{ id: number; project_id: string; player_id: number | null }>`
    SELECT ban.id, ban_list.project_id, ban.player_id FROM ban_list ${joinInOrder} ban ON ban.list_id = ban_list.id
    WHERE ban.served = 0 AND ban.lifted_at IS NULL AND ban.expires_at > ${now}
      AND NOT EXISTS (
        SELECT 1 FROM ban AS other
        WHERE other.player_id = ban.player_id AND other.list_id = ban.list_id AND other.served = 1
          AND other.lifted_at IS NULL
      )
  `.execute(db);
  for (const { own, rows } of byProject(db, retired)) {
    await own.transaction().execute(async (tx) => {
      await chooseServedBans(
        tx,
        rows.map((row) => row.player_id),
      );
      const nameless = rows.filter((row) => row.player_id === null).map(({ id }) => ({ id, served: 1 }));
      await writeTogether(tx, updates({ table: 'ban', key: ['id'] }, nameless));
    });
  }
}

/** Keeps the served bans in step with the wall clock. To be called each minute. */
export function createBanExpiry(db: Database): (now: number) => Promise<void> {
  // The clock of an earlier process is unknown.
  let before = Infinity;
  return async (now) => {
    if (now < before) await reinstateBans(db, now);
    before = now;
    await retireEndedBans(db, now);
  };
}
