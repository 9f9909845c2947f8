import { statementTrigger } from './statements.ts';

/** Of bans: a served one counts in its list. */
const served = (row: string): string => `(${row}.lifted_at IS NULL AND ${row}.served = 1)`;

/**
 * Triggers maintain a list's count of served bans, so that no writer can forget it, and a count needs no scan of a list's
 * bans.
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
];
