import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { valuesOf } from '../dialect.ts';
import { nameForm } from './forgotten-list.ts';
import { findTargets, type RightsTarget } from './forget-player.ts';
import { visibility } from './tables.ts';

/**
 * Hides a player from boards, look-ups, feeds and lists, or shows the player again. Everything is still counted.
 * @returns how many stored players are meant, whether they changed or not
 */
export async function setHidden(db: Database, target: RightsTarget, hidden: boolean): Promise<number> {
  return await db.transaction().execute(async (tx) => {
    const [from, to] = hidden ? [visibility.shown, visibility.hidden] : [visibility.hidden, visibility.shown];
    const persons = (await findTargets(tx, target)).filter((each) =>
      [from, to].some((is) => is === each.hidden),
    );
    const ids = persons.filter((person) => person.hidden === from).map(({ id }) => id);
    await setVisibility(tx, ids, to);
    return persons.length;
  });
}

/** Also lets kill feeds edit the messages about these players. */
export async function setVisibility(
  tx: Database,
  playerIds: readonly number[],
  hidden: number,
): Promise<void> {
  if (playerIds.length === 0) return;
  await tx.updateTable('player').set({ hidden }).where('id', 'in', valuesOf('integer', playerIds)).execute();
  await sql`UPDATE rights SET revision = revision + 1`.execute(tx);
  for (const column of ['victim_id', 'killer_id'] as const) {
    await tx
      .updateTable('death')
      .set({ reworded: sql<number>`(SELECT revision FROM rights)` })
      .where(column, 'in', valuesOf('integer', playerIds))
      .execute();
  }
}

/**
 * The hidden players of all projects, by which a query's lists leave them out. A player who is known by an id derived
 * from the SteamID64 is recognised once a source names the SteamID64 itself.
 */
export async function readHiddenPeople(
  db: Pick<Database, 'selectFrom'>,
): Promise<{ steamIds: ReadonlySet<string>; names: ReadonlySet<string> }> {
  const rows = await db
    .selectFrom('player')
    .leftJoin('player_alias', 'player_alias.player_id', 'player.id')
    .select(['steam_id64', 'player_alias.name'])
    // Both, because the index has the first.
    .where('hidden', '<>', sql.lit(visibility.shown))
    .where('hidden', '=', sql.lit(visibility.hidden))
    .execute();
  return {
    steamIds: new Set(rows.flatMap(({ steam_id64 }) => steam_id64 ?? [])),
    names: new Set(rows.flatMap(({ name }) => (name === null || name === '' ? [] : [nameForm(name)]))),
  };
}

/** The hidden players of all projects: an identifier, or the name where none is known, and the latest name. */
export async function readHiddenPlayers(
  db: Pick<Database, 'selectFrom'>,
): Promise<{ id: string; name: string }[]> {
  const rows = await db
    .selectFrom('player')
    .select(['steam_id64', 'dayz_id', 'battleye_guid', 'cftools_id', 'name'])
    // Both, because the index has the first.
    .where('hidden', '<>', sql.lit(visibility.shown))
    .where('hidden', '=', sql.lit(visibility.hidden))
    .orderBy('name', (order) => order.asc().nullsFirst())
    .execute();
  return rows.flatMap(({ steam_id64, dayz_id, battleye_guid, cftools_id, name }) => {
    const id = steam_id64 ?? battleye_guid ?? cftools_id ?? dayz_id ?? name;
    return id === null ? [] : [{ id, name: name ?? id }];
  });
}
