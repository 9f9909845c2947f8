import type { Database, Reader } from '../../engine/database.ts';
import type { Stored } from '../../engine/schema/schema.ts';
import { deleteRows, upsert } from '../../engine/table-rows.ts';

/** A file of a server's logs, as it was read last; see the table `log_file`. `marks` are plain data. */
export interface LogFile {
  path: string;
  stamp: string;
  position: number;
  marks: unknown;
  lines: number;
  unreadLines: number;
  /** The unread lines by their kind; see `UnreadKinds`. */
  unreadKinds: readonly { kind: string; lines: number }[];
  lastEventAt: number | null;
}

/** Bytes in UTF-8. A path is part of a key, and PostgreSQL refuses keys of more than 2,704 bytes. */
export const longestLogPath = 2_000;

/** The files of a server's logs that were read, by path. */
export async function readLogFiles(db: Reader, serverId: string): Promise<Map<string, LogFile>> {
  const rows = await db.selectFrom('log_file').selectAll().where('server_id', '=', serverId).execute();
  return new Map(rows.map((row) => [row.path, fileOf(row)]));
}

const fileOf = (row: Stored<'log_file'>): LogFile => ({
  path: row.path,
  stamp: row.stamp,
  position: row.position,
  marks: row.marks === null ? null : (JSON.parse(row.marks) as unknown),
  lines: row.lines,
  unreadLines: row.unread_lines,
  unreadKinds: JSON.parse(row.unread_kinds) as LogFile['unreadKinds'],
  lastEventAt: row.last_event_at,
});

export interface LogFileOfServer extends LogFile {
  serverId: string;
}

/** Stores how far files were read, in the transaction that stores their content. */
export async function saveLogFiles(tx: Database, files: readonly LogFileOfServer[]): Promise<void> {
  const rows = files.map((file) => ({
    server_id: file.serverId,
    path: file.path,
    stamp: file.stamp,
    position: file.position,
    marks: file.marks === null ? null : JSON.stringify(file.marks),
    lines: file.lines,
    unread_lines: file.unreadLines,
    unread_kinds: JSON.stringify(file.unreadKinds),
    last_event_at: file.lastEventAt,
  }));
  await upsert(tx, { table: 'log_file', key: ['server_id', 'path'] }, rows);
}

/** Deletes the state of files that no longer exist. */
export async function forgetLogFiles(
  db: Database,
  serverId: string,
  paths: readonly string[],
): Promise<void> {
  const gone = paths.map((path) => ({ server_id: serverId, path }));
  await deleteRows(db, 'log_file', gone);
}
