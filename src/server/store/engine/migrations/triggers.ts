import { statementTrigger } from './statements.ts';

/** Of bans: a served one counts in its list. */
const served = (row: string): string => `(${row}.lifted_at IS NULL AND ${row}.served = 1)`;

/** Raises the revision of projects' leaderboards, by which caches know whether they are stale. */
const raise = (projects: string): string =>
  `UPDATE project SET leaderboard_revision = leaderboard_revision + 1 WHERE id IN (${projects})`;

/** The columns of a player that leaderboards show. */
const shownOfPlayers = ['steam_id64', 'battleye_guid', 'cftools_id', 'name'];
/** Whether one of them has changed. */
const renamed = (before: string, after: string, differs: string): string =>
  shownOfPlayers.map((column) => `${before}.${column} ${differs} ${after}.${column}`).join(' OR ');

/**
 * Triggers maintain a list's count of served bans, so that no writer can forget it: neither the count nor the next end
 * requires a scan of a list's bans.
 */
export const sqliteTriggers = [
  `CREATE TRIGGER ban_counted_in AFTER INSERT ON ban WHEN ${served('new')} BEGIN
    UPDATE ban_list SET served_bans = served_bans + 1 WHERE id = new.list_id;
  END`,
  `CREATE TRIGGER ban_counted_anew AFTER UPDATE OF list_id, lifted_at, served ON ban
    WHEN ${served('old')} <> ${served('new')} OR old.list_id <> new.list_id BEGIN
    UPDATE ban_list SET served_bans = served_bans - ${served('old')} WHERE id = old.list_id;
    UPDATE ban_list SET served_bans = served_bans + ${served('new')} WHERE id = new.list_id;
  END`,
  `CREATE TRIGGER ban_counted_out AFTER DELETE ON ban WHEN ${served('old')} BEGIN
    UPDATE ban_list SET served_bans = served_bans - 1 WHERE id = old.list_id;
  END`,
  `CREATE TRIGGER player_stats_inserted AFTER INSERT ON player_stats BEGIN ${raise('new.project_id')}; END`,
  `CREATE TRIGGER player_stats_updated AFTER UPDATE ON player_stats BEGIN ${raise('new.project_id')}; END`,
  `CREATE TRIGGER player_stats_deleted AFTER DELETE ON player_stats BEGIN ${raise('old.project_id')}; END`,
  `CREATE TRIGGER player_renamed AFTER UPDATE OF ${shownOfPlayers.join(', ')} ON player
    WHEN (${renamed('old', 'new', 'IS NOT')}) AND EXISTS (SELECT 1 FROM player_stats WHERE player_id = new.id)
    BEGIN ${raise('new.project_id')}; END`,
  `CREATE TRIGGER player_hidden_changed AFTER UPDATE OF hidden ON player WHEN old.hidden IS NOT new.hidden
    BEGIN ${raise('new.project_id')}; END`,
];

/** Adds the bans that a statement has made served to their lists' counts, and subtracts those that it has ended. */
const count = (...changes: readonly string[]): string =>
  `UPDATE ban_list SET served_bans = served_bans + change.by FROM (
    SELECT list_id, sum(by) AS by FROM (${changes.join(' UNION ALL ')}) AS changes GROUP BY list_id
  ) AS change WHERE id = change.list_id AND change.by <> 0`;
const each = (rows: string, by: number): string =>
  `SELECT list_id, ${by} AS by FROM ${rows} WHERE ${served(rows)}`;

/** The same, once per statement. */
export const postgresTriggers = [
  ...statementTrigger('ban_counted_in', 'INSERT', 'ban', count(each('new_rows', 1))),
  ...statementTrigger('ban_counted_anew', 'UPDATE', 'ban', count(each('old_rows', -1), each('new_rows', 1))),
  ...statementTrigger('ban_counted_out', 'DELETE', 'ban', count(each('old_rows', -1))),
  ...(
    [
      ['inserted', 'INSERT', 'new_rows'],
      ['updated', 'UPDATE', 'new_rows'],
      ['deleted', 'DELETE', 'old_rows'],
    ] as const
  ).flatMap(([name, event, rows]) =>
    statementTrigger(`player_stats_${name}`, event, 'player_stats', raise(`SELECT project_id FROM ${rows}`)),
  ),
  ...statementTrigger(
    'player_changed',
    'UPDATE',
    'player',
    raise(
      `SELECT new_rows.project_id FROM new_rows JOIN old_rows ON old_rows.id = new_rows.id
        WHERE old_rows.hidden <> new_rows.hidden
        OR ((${renamed('old_rows', 'new_rows', 'IS DISTINCT FROM')})
          AND EXISTS (SELECT 1 FROM player_stats WHERE player_id = new_rows.id))`,
    ),
  ),
];
