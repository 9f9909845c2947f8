import { sql } from 'kysely';
import type { Database } from '../database.ts';
import { chooseServedBans } from '../bans/served-bans.ts';
import { rowsOf, valuesOf } from '../dialect.ts';
import { eachChunk } from '../engine/each-chunk.ts';
import { identityColumns, type IdentityRow } from '../players/person-identity.ts';
import type { ForgottenList } from './forgotten-list.ts';
import { visibility } from './tables.ts';

/** A stored player. */
export interface StoredPerson extends IdentityRow {
  id: number;
  project_id: string;
  name: string | null;
  hidden: number;
}

/** The stored players with any of these identifiers, in all projects. */
export async function findPersons(
  tx: Pick<Database, 'selectFrom'>,
  wanted: readonly IdentityRow[],
): Promise<StoredPerson[]> {
  const found = new Map<number, StoredPerson>();
  const projects = await tx.selectFrom('project').select('id').execute();
  for (const column of identityColumns) {
    const values = [...new Set(wanted.map((row) => row[column]).filter((value) => value !== null))];
    if (values.length === 0) continue;
    const rows = await tx
      .selectFrom('player')
      .select(['id', 'project_id', 'name', 'hidden', ...identityColumns])
      .where(
        'project_id',
        'in',
        projects.map(({ id }) => id),
      )
      .where(column, 'in', valuesOf('text', values))
      .execute();
    for (const row of rows) found.set(row.id, row);
  }
  return [...found.values()];
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
    .values({
      // Like all ids of players: the next one.
      id: sql<number>`(SELECT coalesce(max(id), 0) + 1 FROM player)`,
      project_id: projectId,
      hidden: visibility.nobody,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Deletes a player's data. Deaths stay for the other person in them, without this one; bans in force stay with the
 * identifiers. Nobody else's figures change.
 * @param list with every form of the player
 * @returns whether bans keep the identifiers
 */
export async function erasePlayer(
  tx: Database,
  list: ForgottenList,
  { id, project_id }: Pick<StoredPerson, 'id' | 'project_id'>,
  revision: number,
): Promise<boolean> {
  await leaveDeaths(tx, list, id, await nobodyOf(tx, project_id), revision);
  for (const table of [
    'log_run_player',
    'character',
    'imported_stats',
    'stale_statistics',
    'player_stats',
    'player_alias',
  ] as const) {
    await sql`DELETE FROM ${sql.table(table)} WHERE player_id = ${id}`.execute(tx);
  }
  const hasBans = await stripBans(tx, list, id);
  if (hasBans) {
    await tx
      .updateTable('player')
      .set({ name: null, first_seen_at: null, last_seen_at: null, hidden: visibility.banned })
      .where('id', '=', id)
      .execute();
  } else await tx.deleteFrom('player').where('id', '=', id).execute();
  return hasBans;
}

async function leaveDeaths(
  tx: Database,
  list: ForgottenList,
  playerId: number,
  nobody: number,
  revision: number,
): Promise<void> {
  const deaths = await tx
    .selectFrom('death')
    .innerJoin('log_run', 'log_run.id', 'death.run_id')
    .select(['death.id', 'game_id', 'header'])
    .where('victim_id', '=', playerId)
    .execute();
  await eachChunk(
    deaths.map(({ id, game_id, header }) => [id, list.pseudonymOf(header, game_id)]),
    async (chunk) => {
      await sql`
        UPDATE death SET victim_id = ${nobody}, game_id = v.pseudonym, victim_x = NULL, victim_z = NULL,
          reworded = ${revision}
        FROM ${rowsOf('v', { death: 'integer', pseudonym: 'text' }, chunk)} WHERE death.id = v.death
      `.execute(tx);
    },
  );
  const { numUpdatedRows: kills } = await tx
    .updateTable('death')
    .set({ killer_id: nobody, killer_x: null, killer_z: null, reworded: revision })
    .where('killer_id', '=', playerId)
    .executeTakeFirstOrThrow();
  if (deaths.length === 0 && kills === 0n) return;
  // As deaths are stored in which both are one person.
  await sql`UPDATE death SET killer_id = NULL WHERE victim_id = ${nobody} AND killer_id = ${nobody}`.execute(
    tx,
  );
}

/** Deletes lifted bans, and leaves only identifiers in those that are not. @returns whether there are any */
async function stripBans(tx: Database, list: ForgottenList, playerId: number): Promise<boolean> {
  const bans = await tx
    .selectFrom('ban')
    .select(['id', 'reason', 'lifted_at'])
    .where('player_id', '=', playerId)
    .execute();
  if (bans.length === 0) return false;
  const writes = await tx
    .selectFrom('ban_write')
    .select(['ban_id', 'source', 'reason'])
    .where(
      'ban_id',
      'in',
      bans.map(({ id }) => id),
    )
    .execute();
  for (const { id, reason, lifted_at } of bans) {
    if (lifted_at !== null) {
      await tx.deleteFrom('ban_write').where('ban_id', '=', id).execute();
      await tx.deleteFrom('ban').where('id', '=', id).execute();
      continue;
    }
    const kept = reason === null ? null : list.withoutNames(reason);
    await tx.updateTable('ban').set({ player_name: null, reason: kept }).where('id', '=', id).execute();
  }
  for (const { ban_id, source, reason } of writes) {
    if (reason === null) continue;
    await tx
      .updateTable('ban_write')
      .set({ reason: list.withoutNames(reason) })
      .where('ban_id', '=', ban_id)
      .where('source', '=', source)
      .execute();
  }
  await chooseServedBans(tx, [playerId]);
  return bans.some(({ lifted_at }) => lifted_at === null);
}
