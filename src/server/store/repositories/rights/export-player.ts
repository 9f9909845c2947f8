import { type QueryExecutorProvider, sql } from 'kysely';
import type { Reader } from '../../engine/database.ts';
import { tablesWith } from '../../engine/schema/schema.ts';
import { rosterPlayers } from '../logs/rosters.ts';
import { findTargets, type RightsTarget } from './forget-player.ts';

/** The parts of an export, with the table and the column that names the player. Two tables say only what is to be done next. */
const parts = [
  { part: 'player', table: 'player', column: 'id' },
  ...tablesWith('player_id', ['stale_statistics', 'naming_message']).map((table) => {
    return { part: table, table, column: 'player_id' };
  }),
  { part: 'deaths', table: 'death', column: 'victim_id' },
  { part: 'kills', table: 'death', column: 'killer_id' },
];

/** What is stored of one player: part → rows. */
type PlayerExport = Record<string, Record<string, unknown>[]>;

/**
 * Everything stored of a person; moments are epoch milliseconds. Of deaths, `deaths` are the person's
 * own and `kills` those of others, without these others.
 */
export async function exportPlayer(
  db: Reader & QueryExecutorProvider,
  target: RightsTarget,
): Promise<PlayerExport[]> {
  const exports: PlayerExport[] = [];
  const rosters = await db.selectFrom('roster').select(['server_id', 'people']).execute();
  for (const person of await findTargets(db, target)) {
    const found: PlayerExport = {};
    for (const { part, table, column } of parts) {
      const { rows } = await sql<Record<string, unknown>>`
        SELECT * FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${person.id}
      `.execute(db);
      found[part] = rows.map((row) => withoutOthers(part, row));
    }
    found['roster_player'] = rosters.flatMap((roster) =>
      rosterPlayers(roster)
        .filter(([gameId]) => gameId === person.dayz_id || gameId === person.steam_id64)
        .map(([game_id, { name, connectedAt: connected_at, absentAt: absent_at }]) => {
          return { server_id: roster.server_id, game_id, name, connected_at, absent_at };
        }),
    );
    exports.push(found);
  }
  return exports;
}

/** Columns that are other people's data: the other person of a death and where they were, the moderator who watches the player. */
const ofOthers: Readonly<Record<string, readonly string[]>> = {
  deaths: ['killer_id', 'killer_x', 'killer_z'],
  kills: ['victim_id', 'game_id', 'victim_x', 'victim_z'],
  watch_entry: ['added_by'],
};

function withoutOthers(part: string, row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).filter(([column]) => ofOthers[part]?.includes(column) !== true),
  );
}
