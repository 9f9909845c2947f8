import { type Insertable, type Selectable, sql } from 'kysely';
import { eachChunk } from './each-chunk.ts';
import type { Database } from './database.ts';
import { derivations, type Derivation } from './derivations.ts';
import type { LogFileTable } from './schema.ts';
import { StoreError } from './error.ts';

/** How far a file of a server's logs was read; see `LogFileTable`. `Checkpoint` and `Marks` are plain data. */
export interface LogFile<Checkpoint = unknown, Marks = unknown> {
  path: string;
  stamp: string;
  position: number;
  skipping: boolean;
  marks: Marks | null;
  lines: number;
  unreadLines: number;
  examples: readonly string[];
  lastEventAt: number | null;
  checkpoint: Checkpoint | null;
  /** Versions of `derivations` that have read it. */
  versions: Record<Derivation, number>;
}

/** The files of a server's logs that were read, by path. */
export async function readLogFiles<Checkpoint, Marks>(
  db: Pick<Database, 'selectFrom'>,
  serverId: string,
): Promise<Map<string, LogFile<Checkpoint, Marks>>> {
  const rows = await db.selectFrom('log_file').selectAll().where('server_id', '=', serverId).execute();
  return new Map(rows.map((row) => [row.path, fileOf<Checkpoint, Marks>(row)]));
}

function fileOf<Checkpoint, Marks>(row: Selectable<LogFileTable>): LogFile<Checkpoint, Marks> {
  return {
    path: row.path,
    stamp: row.stamp,
    position: row.position,
    skipping: row.skipping === 1,
    marks: row.marks === null ? null : (JSON.parse(row.marks) as Marks),
    lines: row.lines,
    unreadLines: row.unread_lines,
    examples: JSON.parse(row.examples) as string[],
    lastEventAt: row.last_event_at,
    checkpoint: row.checkpoint === null ? null : (JSON.parse(row.checkpoint) as Checkpoint),
    versions: { counts: row.counts_version, identities: row.identities_version },
  };
}

/** Where the counting of each player stands in the run under way of a followed file, by the game's id. */
export async function readTallies<State>(
  db: Pick<Database, 'selectFrom'>,
  serverId: string,
  path: string,
): Promise<[gameId: string, state: State][]> {
  const rows = await db
    .selectFrom('log_file_player')
    .select(['game_id', 'tally'])
    .where('server_id', '=', serverId)
    .where('path', '=', path)
    .execute();
  return rows.map(({ game_id, tally }) => [game_id, JSON.parse(tally) as State]);
}

/** The names of those players, as far as they are known by the game's id. */
export async function readTalliedNames(
  db: Pick<Database, 'selectFrom'>,
  { serverId, projectId, path }: { serverId: string; projectId: string; path: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('log_file_player')
    .innerJoin('player', 'player.dayz_id', 'log_file_player.game_id')
    .innerJoin('player_alias', 'player_alias.player_id', 'player.id')
    .select('player_alias.name')
    .distinct()
    .where('player.project_id', '=', projectId)
    .where('log_file_player.server_id', '=', serverId)
    .where('log_file_player.path', '=', path)
    .where('player_alias.name', '<>', '')
    .execute();
  return rows.map(({ name }) => name);
}

/** Another process has read the same file on; what was read beside it must not be stored. */
export class FileMovedOnError extends StoreError {}

/**
 * Stores how far a followed file was read, in the transaction that stores what it said.
 * @param former where it stood when it was read on; null: it is new
 * @param tallies the players whose counting has changed; `replace`: they belong to another run than those stored
 * @throws FileMovedOnError
 */
export async function saveLogFile(
  tx: Database,
  serverId: string,
  file: LogFile,
  former: Pick<LogFile, 'position'> | null,
  tallies: { replace: boolean; changed: readonly (readonly [gameId: string, state: object])[] },
): Promise<void> {
  const stored = await tx
    .selectFrom('log_file')
    .select('position')
    .where('server_id', '=', serverId)
    .where('path', '=', file.path)
    .executeTakeFirst();
  if (stored?.position !== former?.position) {
    throw new FileMovedOnError(`${file.path} is being read by another process, too`);
  }
  const row = rowOf(serverId, file);
  await tx
    .insertInto('log_file')
    .values({ ...row, identities_version: file.versions.identities })
    // Those are read again beside the following, which does not know how far that is.
    .onConflict((conflict) => conflict.doUpdateSet(row))
    .execute();
  if (tallies.replace) {
    await tx
      .deleteFrom('log_file_player')
      .where('server_id', '=', serverId)
      .where('path', '=', file.path)
      .execute();
  }
  const rows = tallies.changed.map(([gameId, state]) => [gameId, JSON.stringify(state)]);
  await eachChunk(rows, async (json) => {
    await sql`
      INSERT OR REPLACE INTO log_file_player (server_id, path, game_id, tally)
      SELECT ${serverId}, ${file.path}, value ->> 0, value ->> 1 FROM json_each(${json})
    `.execute(tx);
  });
}

function rowOf(serverId: string, file: LogFile): Insertable<LogFileTable> {
  return {
    server_id: serverId,
    path: file.path,
    stamp: file.stamp,
    position: file.position,
    skipping: file.skipping ? 1 : 0,
    marks: file.marks === null ? null : JSON.stringify(file.marks),
    lines: file.lines,
    unread_lines: file.unreadLines,
    examples: JSON.stringify(file.examples),
    last_event_at: file.lastEventAt,
    checkpoint: file.checkpoint === null ? null : JSON.stringify(file.checkpoint),
    counts_version: file.versions.counts,
  };
}

/** Remembers files that were read in one go, and forgets those that are gone. */
export async function saveReadFiles(
  db: Database,
  serverId: string,
  read: readonly Pick<LogFile, 'path' | 'stamp' | 'position' | 'lines' | 'unreadLines' | 'examples'>[],
  gone: readonly string[],
): Promise<void> {
  if (read.length === 0 && gone.length === 0) return;
  await db.transaction().execute(async (tx) => {
    await eachChunk(read, async (json) => {
      await sql`
        INSERT OR REPLACE INTO log_file (server_id, path, stamp, position, skipping, lines, unread_lines, examples,
          counts_version, identities_version)
        SELECT ${serverId}, value ->> 'path', value ->> 'stamp', value ->> 'position', 0, value ->> 'lines',
          value ->> 'unreadLines', value -> 'examples', ${derivations.counts}, ${derivations.identities}
        FROM json_each(${json})
      `.execute(tx);
    });
    await eachChunk(gone, async (json) => {
      await sql`
        DELETE FROM log_file WHERE server_id = ${serverId} AND path IN (SELECT value FROM json_each(${json}))
      `.execute(tx);
    });
  });
}

/** The files of a server that an earlier version has read for one of the derivations, by path. */
export async function readStaleFiles(
  db: Pick<Database, 'selectFrom'>,
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

/** Notes that files have been read again, to their ends, for the identities in them. */
export async function saveIdentitiesRead(
  db: Database,
  serverId: string,
  paths: readonly string[],
): Promise<void> {
  await eachChunk(paths, async (json) => {
    await sql`
      UPDATE log_file SET identities_version = ${derivations.identities}
      WHERE server_id = ${serverId} AND path IN (SELECT value FROM json_each(${json}))
    `.execute(db);
  });
}

/** A file that was read under one name goes on under another. */
export async function renameLogFile(db: Database, serverId: string, from: string, to: string): Promise<void> {
  await db
    .updateTable('log_file')
    .set({ path: to })
    .where('server_id', '=', serverId)
    .where('path', '=', from)
    .execute();
}
