import { sql } from 'kysely';
import { valuesOf } from '../../engine/dialect.ts';
import { eachChunk } from '../../engine/each-chunk.ts';
import type { Database, Reader } from '../../engine/database.ts';
import { chooseServedBans } from './served-bans.ts';
import type { Stored } from '../../engine/schema/schema.ts';
import { unknownId } from '../../engine/error.ts';
import { writeProject } from '../../engine/transactions.ts';
import { replacedBy, upsert } from '../../engine/table-rows.ts';

/** The columns with what a source states of a ban. */
export const statedColumns = [
  'player_name',
  'category',
  'reason',
  'starts_at',
  'expires_at',
  'state',
] as const satisfies (keyof Stored<'ban'>)[];

/** What a source states of a ban. */
export type StatedBan = Pick<Stored<'ban'>, (typeof statedColumns)[number]>;

/** The same with the player already found. */
export type SourceBan = StatedBan & Pick<Stored<'ban'>, 'source_key' | 'player_id'>;

/** The last moment with a year of four digits, as the contract's dates have. A ban that ends later is permanent. */
export const latestBanEnd = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The project of a ban list. @throws StoreError when there is no such active list */
export async function projectOfBanList(db: Reader, listId: string): Promise<string> {
  const lists = await db
    .selectFrom('ban_list')
    .select(['id', 'project_id'])
    .where('active', '=', 1)
    .execute();
  const list = lists.find(({ id }) => id === listId);
  if (list === undefined) throw unknownId('ban list', listId, lists);
  return list.project_id;
}

/**
 * A transaction that writes bans of a list, and players of its project. `work` may be called twice, as by `writeProject`.
 * @throws StoreError when there is no such active list
 */
export async function writeBanList<T>(
  db: Database,
  listId: string,
  work: (tx: Database, projectId: string) => Promise<T>,
): Promise<T> {
  const projectId = await projectOfBanList(db, listId);
  return await writeProject(db, projectId, async (tx) => await work(tx, projectId));
}

/** Adds bans to a list, or updates those of the same source and key. A lifted ban is in force again. */
export async function saveBans(
  tx: Database,
  listId: string,
  source: string,
  bans: readonly SourceBan[],
  now: number,
): Promise<void> {
  const rows = bans.map((ban) => ({ list_id: listId, source, ...ban, first_seen_at: now }));
  const set = sql`${replacedBy(['player_id', ...statedColumns])}, lifted_at = NULL`;
  await upsert(tx, { table: 'ban', key: ['list_id', 'source', 'source_key'], set }, rows);
  await chooseServedBans(
    tx,
    bans.map(({ player_id }) => player_id),
  );
}

/** The bans of these players in a list that are not lifted, with their sources; the newest first. */
export async function findActiveBans(
  db: Reader,
  listId: string,
  playerIds: readonly number[],
): Promise<{ id: number; source: string; source_key: string }[]> {
  return await db
    .selectFrom('ban')
    .select(['id', 'source', 'source_key'])
    .where('list_id', '=', listId)
    .where('player_id', 'in', playerIds)
    .where('lifted_at', 'is', null)
    .orderBy('id', 'desc')
    .execute();
}

export async function liftBans(tx: Database, ids: readonly number[], now: number): Promise<void> {
  const players = new Set<number | null>();
  await eachChunk(ids, async (chunk) => {
    const rows = await tx
      .updateTable('ban')
      .set({ lifted_at: now })
      .where('id', 'in', valuesOf('integer', chunk))
      .returning('player_id')
      .execute();
    for (const row of rows) players.add(row.player_id);
  });
  await chooseServedBans(tx, players);
}
