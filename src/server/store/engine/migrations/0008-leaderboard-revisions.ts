import { migrationOf } from './statements.ts';

/** Raises the revision of a project's leaderboards, by which caches know whether they are stale. */
const bump = (row: string) =>
  `UPDATE project SET leaderboard_revision = leaderboard_revision + 1 WHERE id = ${row}.project_id`;

/** The columns of a player that leaderboards show. */
const shown = ['steam_id64', 'battleye_guid', 'cftools_id', 'name'];
const changed = shown.map((column) => `old.${column} IS NOT new.${column}`).join(' OR ');

const statements = [
  `ALTER TABLE project ADD COLUMN leaderboard_revision INTEGER NOT NULL DEFAULT 0`,
  `CREATE TRIGGER player_stats_inserted AFTER INSERT ON player_stats BEGIN ${bump('new')}; END`,
  `CREATE TRIGGER player_stats_updated AFTER UPDATE ON player_stats BEGIN ${bump('new')}; END`,
  `CREATE TRIGGER player_stats_deleted AFTER DELETE ON player_stats BEGIN ${bump('old')}; END`,
  `CREATE TRIGGER player_renamed AFTER UPDATE OF ${shown.join(', ')} ON player
    WHEN (${changed}) AND EXISTS (SELECT 1 FROM player_stats WHERE player_id = new.id)
    BEGIN ${bump('new')}; END`,
];

export const leaderboardRevisions = migrationOf(statements);
