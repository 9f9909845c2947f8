import { type QueryExecutorProvider, sql } from 'kysely';
import type { Reader } from '../../engine/database.ts';
import { rosterPlayers } from '../logs/rosters.ts';
import { findTargets, type RightsTarget } from './forget-player.ts';

/** Tables with rows of players, and the column that names the player. */
const tables = [
  ['player', 'id'],
  ['player_alias', 'player_id'],
  ['player_stats', 'player_id'],
  ['log_run_player', 'player_id'],
  ['character', 'player_id'],
  ['imported_stats', 'player_id'],
  ['ban', 'player_id'],
  ['player_link', 'player_id'],
  ['link_progress', 'player_id'],
  ['death', 'victim_id'],
  ['death', 'killer_id'],
  ['stay', 'player_id'],
  ['watch_entry', 'player_id'],
] as const;

/** What is stored of one player: table → rows. */
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
    for (const [table, column] of tables) {
      const name = column === 'victim_id' ? 'deaths' : column === 'killer_id' ? 'kills' : table;
      const { rows } = await sql<Record<string, unknown>>`
        SELECT * FROM ${sql.table(table)} WHERE ${sql.ref(column)} = ${person.id}
      `.execute(db);
      found[name] = rows.map((row) => withoutOthers(name, row));
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

function withoutOthers(name: string, row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).filter(([column]) => ofOthers[name]?.includes(column) !== true),
  );
}
