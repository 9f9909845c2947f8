import { bothSides } from './statements.ts';

export const deaths = bothSides([
  // AUTOINCREMENT gives no id twice, so that who reads on from the last id gets each death once.
  `CREATE TABLE death (
    id INTEGER PRIMARY KEY AUTOINCREMENT, server_id TEXT NOT NULL REFERENCES server,
    run_id INTEGER NOT NULL REFERENCES log_run ON DELETE CASCADE, game_id TEXT NOT NULL, number INTEGER NOT NULL,
    at INTEGER NOT NULL, victim_id INTEGER NOT NULL REFERENCES player, killer_id INTEGER REFERENCES player,
    cause TEXT NOT NULL, weapon TEXT, body_part TEXT, ammo TEXT, meters REAL,
    victim_x REAL, victim_z REAL, killer_x REAL, killer_z REAL,
    stored_at INTEGER NOT NULL, live INTEGER NOT NULL, UNIQUE (run_id, game_id, number)
  ) STRICT`,
  // Has every column that boards of kills count, so that they read nothing but the index.
  `CREATE INDEX death_by_server ON death (server_id, at, killer_id, weapon)`,
  `CREATE INDEX death_by_victim ON death (victim_id, at)`,
  `CREATE INDEX death_by_killer ON death (killer_id, at) WHERE killer_id IS NOT NULL`,
  `CREATE INDEX death_with_place ON death (server_id) WHERE victim_x IS NOT NULL OR killer_x IS NOT NULL`,
  `ALTER TABLE project ADD COLUMN kills_kept_ms INTEGER NOT NULL DEFAULT ${90 * 86_400_000}`,
  `ALTER TABLE project ADD COLUMN kill_positions INTEGER NOT NULL DEFAULT 0`,
]);
