import { migrationOf } from './statements.ts';

/** The server of a player's runs if all are of one server, else ''. */
const onlyServer = `coalesce((
  SELECT CASE WHEN count(DISTINCT server_id) = 1 THEN max(server_id) END
  FROM log_run_player JOIN log_run ON log_run.id = log_run_player.run_id WHERE log_run_player.player_id = seen.player_id
), '')`;

/** A name that was joined from two lines, of which the first was cut off. */
const twoLines = `name GLOB '*[0-9][0-9]:[0-9][0-9]:[0-9][0-9] | Player*'`;

const statements = [
  `CREATE TABLE player_seen (
    player_id INTEGER NOT NULL REFERENCES player ON DELETE CASCADE, name TEXT NOT NULL,
    server_id TEXT NOT NULL DEFAULT '', first_seen_at INTEGER, last_seen_at INTEGER,
    PRIMARY KEY (player_id, name, server_id)
  ) STRICT, WITHOUT ROWID`,
  `INSERT INTO player_seen
    SELECT player_id, name, ${onlyServer}, first_seen_at, last_seen_at FROM player_alias AS seen WHERE NOT ${twoLines}`,
  // Players who were seen under no name, or longer than under their known names.
  `INSERT INTO player_seen
    SELECT id, '', ${onlyServer.replace('seen.player_id', 'player.id')}, first_seen_at, last_seen_at FROM player
    WHERE (first_seen_at IS NOT NULL OR last_seen_at IS NOT NULL) AND (
      first_seen_at IS NOT (SELECT min(first_seen_at) FROM player_seen WHERE player_id = player.id)
      OR last_seen_at IS NOT (SELECT max(last_seen_at) FROM player_seen WHERE player_id = player.id)
    )`,
  `DROP TABLE player_alias`,
  `ALTER TABLE player_seen RENAME TO player_alias`,
  `UPDATE player SET name = (
    SELECT alias.name FROM player_alias AS alias WHERE alias.player_id = player.id AND alias.name <> ''
    ORDER BY alias.last_seen_at DESC, alias.name LIMIT 1
  ) WHERE ${twoLines}`,
];

export const sightingsByServer = migrationOf(statements);
