import { bothSides } from './statements.ts';

/** Who came on and left, from the logs that are followed, and whom moderators watch. */
export const watchList = bothSides([
  // No id is given twice, so that who reads on from the last id gets each stay once.
  `CREATE TABLE stay (
    id INTEGER PRIMARY KEY AUTOINCREMENT, project_id TEXT NOT NULL REFERENCES project,
    server_id TEXT NOT NULL REFERENCES server, player_id INTEGER NOT NULL REFERENCES player, game_id TEXT NOT NULL,
    name TEXT NOT NULL, at INTEGER NOT NULL, left_at INTEGER, continued INTEGER NOT NULL, just_now INTEGER NOT NULL,
    stored_at INTEGER NOT NULL
  ) STRICT`,
  `CREATE INDEX stay_by_project ON stay (project_id, id)`,
  `CREATE INDEX stay_by_game_id ON stay (server_id, game_id)`,
  `CREATE INDEX stay_by_player ON stay (player_id)`,
  `CREATE INDEX stay_open ON stay (server_id) WHERE left_at IS NULL`,
  `CREATE TABLE watch_entry (
    id INTEGER PRIMARY KEY AUTOINCREMENT, project_id TEXT NOT NULL REFERENCES project,
    player_id INTEGER REFERENCES player, identifier TEXT, name TEXT, reason TEXT, expires_at INTEGER,
    added_at INTEGER NOT NULL, guild_id TEXT NOT NULL, added_by TEXT NOT NULL
  ) STRICT`,
  `CREATE INDEX watch_entry_by_project ON watch_entry (project_id)`,
  `CREATE INDEX watch_entry_by_player ON watch_entry (player_id) WHERE player_id IS NOT NULL`,
  // Consoles ban names.
  `CREATE INDEX ban_by_name ON ban (player_name COLLATE NOCASE) WHERE player_id IS NULL`,
]);
