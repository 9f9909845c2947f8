import { triggersOf } from './0022-project-revisions.ts';
import { bothSides } from './statements.ts';

const tables = bothSides([
  `CREATE TABLE player_link (
    project_id TEXT NOT NULL REFERENCES project, member_id TEXT NOT NULL,
    player_id INTEGER NOT NULL REFERENCES player ON DELETE CASCADE, proven INTEGER NOT NULL,
    linked_at INTEGER NOT NULL, PRIMARY KEY (project_id, member_id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE UNIQUE INDEX player_link_by_player ON player_link (player_id)`,
  `CREATE TABLE link_challenge (
    project_id TEXT NOT NULL REFERENCES project, member_id TEXT NOT NULL, gestures TEXT,
    started_at INTEGER NOT NULL, ends_at INTEGER NOT NULL, drawn INTEGER NOT NULL, drawn_since INTEGER NOT NULL,
    PRIMARY KEY (project_id, member_id)
  ) STRICT, WITHOUT ROWID`,
  `CREATE UNIQUE INDEX link_challenge_by_gestures ON link_challenge (project_id, gestures)`,
  `CREATE TABLE link_progress (
    project_id TEXT NOT NULL, member_id TEXT NOT NULL,
    player_id INTEGER NOT NULL REFERENCES player ON DELETE CASCADE, seen INTEGER NOT NULL,
    others INTEGER NOT NULL, last_at INTEGER NOT NULL, PRIMARY KEY (project_id, member_id, player_id),
    FOREIGN KEY (project_id, member_id) REFERENCES link_challenge ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX link_progress_by_player ON link_progress (player_id)`,
]);

/** Which members of Discord are which players, and the gestures by which members prove it. */
export const playerLinks = {
  sqlite: tables.sqlite,
  // Roles and boards follow links.
  postgres: [
    ...tables.postgres,
    ...triggersOf(['player_link', { projects: 'SELECT project_id FROM changed' }]),
  ],
};
