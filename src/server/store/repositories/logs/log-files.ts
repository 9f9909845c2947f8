import { sql } from 'kysely';
import { greatest } from '../../engine/dialect.ts';
import { eachChunk } from '../../engine/each-chunk.ts';
import type { Database, Reader } from '../../engine/database.ts';
import { derivations, type Derivation } from './derivations.ts';
import type { Stored } from '../../engine/schema/schema.ts';
import { StoreError } from '../../engine/error.ts';
import { deleteRows, tableRows, updateRows, upsert } from '../../engine/table-rows.ts';

/** How far a file of a server's logs was read; see the table `log_file`. `marks` and `checkpoint` are plain data. */
export interface LogFile {
  path: string;
  stamp: string;
  position: number;
  skipping: boolean;
  marks: unknown;
  lines: number;
  unreadLines: number;
  /** The unread lines by their kind; see `UnreadKinds`. */
  unreadKinds: readonly { kind: string; lines: number }[];
  lastEventAt: number | null;
  checkpoint: unknown;
  missing: readonly MissingLines[];
  /** The versions of `derivations` that have read it. The identities version never decreases. */
  versions: Record<Derivation, number>;
}

/** Lines of a file that are not counted: a tool has split the log, and the part with the header of their run is missing. */
export interface MissingLines {
  /** How many they are; null: unknown. */
  bytes: number | null;
  /** The times of the first and the last line, `12:00:00`, by the clock of the log; null: unknown. */
  from: string | null;
  to: string | null;
}

/**
 * Bytes in UTF-8. A path is part of the key of `log_file_player`, and PostgreSQL refuses keys of more than 2,704 bytes.
 */
export const longestLogPath = 2_000;

/** The files of a server's logs that were read, by path. */
export async function readLogFiles(db: Reader, serverId: string): Promise<Map<string, LogFile>> {
  const rows = await db.selectFrom('log_file').selectAll().where('server_id', '=', serverId).execute();
  return new Map(rows.map((row) => [row.path, fileOf(row)]));
}

function fileOf(row: Stored<'log_file'>): LogFile {
  return {
    path: row.path,
    stamp: row.stamp,
    position: row.position,
    skipping: row.skipping === 1,
    marks: row.marks === null ? null : (JSON.parse(row.marks) as unknown),
    lines: row.lines,
    unreadLines: row.unread_lines,
    unreadKinds: JSON.parse(row.unread_kinds) as LogFile['unreadKinds'],
    lastEventAt: row.last_event_at,
    checkpoint: row.checkpoint === null ? null : (JSON.parse(row.checkpoint) as unknown),
    // Commands read stores that no start has updated yet.
    missing: JSON.parse((row as { missing?: string }).missing ?? '[]') as MissingLines[],
    versions: { counts: row.counts_version, identities: row.identities_version },
  };
}

/** What has been counted so far of each player in the current run of a followed file, by the game's id. */
export async function readTallies(
  db: Reader,
  serverId: string,
  path: string,
): Promise<[gameId: string, state: unknown][]> {
  const rows = await db
    .selectFrom('log_file_player')
    .select(['game_id', 'tally'])
    .where('server_id', '=', serverId)
    .where('path', '=', path)
    .execute();
  return rows.map(({ game_id, tally }) => [game_id, JSON.parse(tally) as unknown]);
}

/** What is new of a file that was read further. */
export interface LogFileChange {
  serverId: string;
  now: LogFile;
  /** The file before it was read further; null: it is new. */
  previous: Pick<LogFile, 'position'> | null;
  /** The players of whom more was counted; `replace`: they belong to another run than those stored. */
  tallies: { replace: boolean; changed: readonly (readonly [gameId: string, state: object])[] };
}

/**
 * Stores how far files were read, in the transaction that stores their content. Fails where another process has read one
 * further: to store this part as well would count its lines twice.
 */
export async function saveLogFiles(tx: Database, changes: readonly LogFileChange[]): Promise<void> {
  const files = new Map<string, FileRow>();
  for (const { serverId, now, previous } of changes) {
    const key = JSON.stringify([serverId, now.path]);
    // Of two parts of one file, the first has the position at which reading started.
    const first = files.get(key);
    const position = first === undefined ? (previous?.position ?? null) : first.position;
    files.set(key, { serverId, now, position });
  }
  const rows = [...files.values()];
  await addFiles(
    tx,
    rows.filter(({ position }) => position === null),
  );
  await eachChunk(
    rows.filter(({ position }) => position !== null),
    async (chunk) => await continueFiles(tx, chunk),
  );
  await saveTallies(tx, changes);
}

interface FileRow {
  serverId: string;
  now: LogFile;
  position: number | null;
}

async function addFiles(tx: Database, files: readonly FileRow[]): Promise<void> {
  const how = { table: 'log_file', key: ['server_id', 'path'], set: null } as const;
  requireAll(files, await upsert(tx, how, files.map(rowOf)));
}

async function continueFiles(tx: Database, files: readonly FileRow[]): Promise<void> {
  const rows = files.map((file) => ({ ...rowOf(file), was_at: file.position }));
  const kept = new Set(['server_id', 'path', 'identities_version', 'was_at']);
  const replaced = Object.keys(rows[0] ?? {}).filter((name) => !kept.has(name));
  const set = replaced.map((name) => sql`${sql.ref(name)} = ${sql.ref(`new.${name}`)}`);
  const identities = greatest(sql.ref('log_file.identities_version'), sql.ref('new.identities_version'));
  const { numAffectedRows } = await sql`
    UPDATE log_file SET ${sql.join(set)}, identities_version = ${identities}
    FROM ${tableRows('new', rows, { was_at: 'integer' })}
    WHERE log_file.server_id = new.server_id AND log_file.path = new.path AND log_file.position = new.was_at
  `.execute(tx);
  requireAll(files, Number(numAffectedRows));
}

function requireAll(files: readonly FileRow[], written: number): void {
  if (written === files.length) return;
  const paths = files.map(({ now }) => now.path).join(' or ');
  throw new StoreError(`${paths} is being read by another process, too`);
}

async function saveTallies(tx: Database, changes: readonly LogFileChange[]): Promise<void> {
  const replaced = new Map<string, { server_id: string; path: string }>();
  const states = new Map<string, Stored<'log_file_player'>[]>();
  for (const { serverId, now, previous, tallies } of changes) {
    const { path } = now;
    const key = JSON.stringify([serverId, path]);
    const file = { server_id: serverId, path };
    const rows = tallies.changed.map(([game_id, state]) => ({
      ...file,
      game_id,
      tally: JSON.stringify(state),
    }));
    if (tallies.replace && previous !== null) replaced.set(key, file);
    states.set(key, tallies.replace ? rows : [...(states.get(key) ?? []), ...rows]);
  }
  await deleteRows(tx, 'log_file_player', [...replaced.values()]);
  await upsert(
    tx,
    { table: 'log_file_player', key: ['server_id', 'path', 'game_id'] },
    [...states.values()].flat(),
  );
}

function rowOf({ serverId, now: file }: FileRow): Stored<'log_file'> {
  const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
  return {
    server_id: serverId,
    path: file.path,
    stamp: file.stamp,
    position: file.position,
    skipping: file.skipping ? 1 : 0,
    marks: json(file.marks),
    lines: file.lines,
    unread_lines: file.unreadLines,
    unread_kinds: JSON.stringify(file.unreadKinds),
    last_event_at: file.lastEventAt,
    checkpoint: json(file.checkpoint),
    missing: JSON.stringify(file.missing),
    counts_version: file.versions.counts,
    identities_version: file.versions.identities,
  };
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

/** The files of a server that an earlier version has read for one of the derivations, by path. */
export async function readStaleFiles(
  db: Reader,
  serverId: string,
): Promise<{ path: string; stale: Derivation[] }[]> {
  const rows = await db
    .selectFrom('log_file')
    .select(['path', 'counts_version', 'identities_version'])
    .where('server_id', '=', serverId)
    .where(({ or, eb }) =>
      or([
        eb('counts_version', '<', derivations.counts),
        eb('identities_version', '<', derivations.identities),
      ]),
    )
    .orderBy('path')
    .execute();
  return rows.map((row) => ({
    path: row.path,
    stale: [
      ...(row.counts_version < derivations.counts ? (['counts'] as const) : []),
      ...(row.identities_version < derivations.identities ? (['identities'] as const) : []),
    ],
  }));
}

/** Records that files have been read again, to their ends, for the identities in them. */
export async function saveIdentitiesRead(
  db: Database,
  serverId: string,
  paths: readonly string[],
): Promise<void> {
  const rows = paths.map((path) => {
    return { server_id: serverId, path, identities_version: derivations.identities };
  });
  await updateRows(db, { table: 'log_file', key: ['server_id', 'path'] }, rows);
}

/** Gives the stored state of a file that was renamed its new path. */
export async function renameLogFile(db: Database, serverId: string, from: string, to: string): Promise<void> {
  await db
    .updateTable('log_file')
    .set({ path: to })
    .where('server_id', '=', serverId)
    .where('path', '=', from)
    .execute();
}
