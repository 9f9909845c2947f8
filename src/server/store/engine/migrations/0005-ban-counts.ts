import { migrationOf } from './statements.ts';

const served = (row: string): string => `(${row}.lifted_at IS NULL AND ${row}.served = 1)`;

/**
 * Triggers maintain a list's count of served bans, so that no writer can forget it. Bans with an end get an index by
 * it. So neither the count nor the next end requires a scan of a list's bans.
 */
const statements = [
  `ALTER TABLE ban_list ADD COLUMN served_bans INTEGER NOT NULL DEFAULT 0`,
  `UPDATE ban_list SET served_bans = (SELECT count(*) FROM ban WHERE list_id = ban_list.id AND ${served('ban')})`,
  `CREATE INDEX ban_by_end ON ban (list_id, served, expires_at) WHERE lifted_at IS NULL AND expires_at IS NOT NULL`,
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

export const banCounts = migrationOf(statements);
