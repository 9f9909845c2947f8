import { raise, shownOfPlayers } from './0012-first-release.ts';
import { bothSides, statementTrigger, type TwoSided } from './statements.ts';

const tables = bothSides([
  `ALTER TABLE player ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0`,
  `CREATE INDEX player_unlisted ON player (project_id) WHERE hidden <> 0`,
  `CREATE UNIQUE INDEX player_nobody ON player (project_id) WHERE hidden = 3`,
  `CREATE TABLE forgotten (hash TEXT PRIMARY KEY) STRICT, WITHOUT ROWID`,
  `CREATE TABLE rights (
    id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL, list_revision INTEGER NOT NULL, key_check TEXT,
    wipe_wanted INTEGER NOT NULL
  ) STRICT`,
  `INSERT INTO rights VALUES (1, 0, 0, NULL, 0)`,
  `ALTER TABLE death ADD COLUMN reworded INTEGER NOT NULL DEFAULT 0`,
  `CREATE INDEX death_reworded ON death (reworded) WHERE reworded > 0`,
  `CREATE TABLE feed_message (
    death_id INTEGER NOT NULL REFERENCES death ON DELETE CASCADE, feed TEXT NOT NULL, channel_id TEXT NOT NULL,
    message_id TEXT NOT NULL, revision INTEGER NOT NULL, PRIMARY KEY (death_id, feed)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX feed_message_by_message ON feed_message (message_id)`,
]);

const renamed = shownOfPlayers
  .map((column) => `old_rows.${column} IS DISTINCT FROM new_rows.${column}`)
  .join(' OR ');

/** Leaderboards leave hidden players out. */
export const playerRights: TwoSided = {
  sqlite: [
    ...tables.sqlite,
    `CREATE TRIGGER player_hidden_changed AFTER UPDATE OF hidden ON player WHEN old.hidden IS NOT new.hidden
      BEGIN ${raise('new.project_id')}; END`,
  ],
  postgres: [
    ...tables.postgres,
    ...statementTrigger(
      'player_changed',
      'UPDATE',
      'player',
      raise(
        `SELECT new_rows.project_id FROM new_rows JOIN old_rows ON old_rows.id = new_rows.id
          WHERE old_rows.hidden <> new_rows.hidden
          OR ((${renamed}) AND EXISTS (SELECT 1 FROM player_stats WHERE player_id = new_rows.id))`,
      ),
    ),
  ],
};
