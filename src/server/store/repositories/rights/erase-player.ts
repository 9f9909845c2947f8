import { sql } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { chooseServedBans } from '../bans/served-bans.ts';
import { valuesOf } from '../../engine/dialect.ts';
import { eachChunk, groupsOf } from '../../engine/each-chunk.ts';
import { updateRows } from '../../engine/table-rows.ts';
import { identityColumns, type StoredPerson } from '../players/person-identity.ts';
import type { ForgottenList } from './forgotten-list.ts';
import { markNamingMessages } from './naming-messages.ts';
import { tables, tablesWith } from '../../engine/schema/schema.ts';
import { visibility } from '../../engine/schema/rights-tables.ts';

/** What became of players who were deleted. */
export interface Erased {
  /** Of how many bans keep the identifiers. */
  banned: number;
  /** How many were linked to a member of Discord. */
  links: number;
}

/** The row of a project that stands for every forgotten player. */
export async function nobodyOf(tx: Database, projectId: string): Promise<number> {
  const known = await tx
    .selectFrom('player')
    .select('id')
    .where('project_id', '=', projectId)
    .where('hidden', '=', sql.lit(visibility.nobody))
    .executeTakeFirst();
  if (known !== undefined) return known.id;
  const { id } = await tx
    .insertInto('player')
    .values({ project_id: projectId, hidden: visibility.nobody })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Empties the row of a banned player: a new column of `player` is among these by itself. */
const bareColumns = Object.fromEntries(
  Object.entries(tables.player.columns)
    .filter(([name, { isNullable }]) => isNullable && !identityColumns.some((column) => column === name))
    .map(([name]) => [name, null]),
);

/** Bans in force stay, and messages until the bot has deleted them; links are counted. */
const deletedTables = tablesWith('player_id', ['ban', 'naming_message', 'player_link']);

/**
 * Deletes the data of players. Deaths stay for the other person in them, without these; bans in force stay with the
 * identifiers. Nobody else's figures change.
 * @param list with every form of the players
 */
export async function erasePlayers(
  tx: Database,
  list: ForgottenList,
  players: readonly Pick<StoredPerson, 'id' | 'project_id'>[],
): Promise<Erased> {
  const erased: Erased = { banned: 0, links: 0 };
  for (const [projectId, all] of groupsOf(players, ({ project_id }) => project_id)) {
    const nobody = await nobodyOf(tx, projectId);
    await eachChunk(all, async (chunk) => {
      const ids = chunk.map(({ id }) => id);
      await leaveDeaths(tx, list, ids, nobody);
      const own = valuesOf('integer', ids);
      const links = await tx
        .deleteFrom('player_link')
        .where('player_id', 'in', own)
        .executeTakeFirstOrThrow();
      erased.links += Number(links.numDeletedRows);
      for (const table of deletedTables)
        await sql`DELETE FROM ${sql.table(table)} WHERE player_id IN ${own}`.execute(tx);
      const kept = await stripBans(tx, list, ids);
      erased.banned += kept.size;
      await tx
        .updateTable('player')
        .set({ ...bareColumns, hidden: visibility.banned })
        .where('id', 'in', valuesOf('integer', [...kept]))
        .execute();
      const gone = ids.filter((id) => !kept.has(id));
      await tx.deleteFrom('player').where('id', 'in', valuesOf('integer', gone)).execute();
      // Last: it finds what was added while the rows of the players were waited for.
      await markNamingMessages(tx, ids, visibility.nobody);
    });
  }
  return erased;
}

async function leaveDeaths(
  tx: Database,
  list: ForgottenList,
  playerIds: readonly number[],
  nobody: number,
): Promise<void> {
  const players = valuesOf('integer', playerIds);
  const deaths = await tx
    .selectFrom('death')
    .innerJoin('log_run', 'log_run.id', 'death.run_id')
    .select(['death.id', 'game_id', 'header'])
    .where('victim_id', 'in', players)
    .execute();
  const anonymous = { victim_id: nobody, victim_x: null, victim_z: null };
  const left = deaths.map(({ id, game_id, header }) => {
    return { id, game_id: list.pseudonymOf(header, game_id), ...anonymous };
  });
  await updateRows(tx, { table: 'death', key: ['id'] }, left);
  await tx
    .updateTable('death')
    .set({ killer_id: nobody, killer_x: null, killer_z: null })
    .where('killer_id', 'in', players)
    .execute();
  // As deaths are stored in which both are one person.
  await sql`UPDATE death SET killer_id = NULL WHERE victim_id = ${nobody} AND killer_id = ${nobody}`.execute(
    tx,
  );
}

/** Deletes lifted bans, and leaves only identifiers in those that are not. @returns the players who have some of these */
async function stripBans(
  tx: Database,
  list: ForgottenList,
  playerIds: readonly number[],
): Promise<Set<number>> {
  const players = valuesOf('integer', playerIds);
  await tx.deleteFrom('ban').where('player_id', 'in', players).where('lifted_at', 'is not', null).execute();
  const bans = await tx
    .selectFrom('ban')
    .select(['id', 'player_id', 'reason'])
    .where('player_id', 'in', players)
    .execute();
  const bare = bans.map(({ id, reason }) => {
    return { id, player_name: null, reason: reason === null ? null : list.withoutNames(reason) };
  });
  await updateRows(tx, { table: 'ban', key: ['id'] }, bare);
  const banned = new Set(bans.flatMap(({ player_id }) => player_id ?? []));
  await chooseServedBans(tx, banned);
  return banned;
}
