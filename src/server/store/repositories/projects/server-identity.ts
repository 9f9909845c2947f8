import { dirname, resolve } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Reader } from '../../engine/database.ts';
import { writeProject, writeStore } from '../../engine/transactions.ts';
import type { Schema } from '../../engine/schema/schema.ts';
import type { SharedTables } from '../../engine/schema/shared-tables.ts';
import type { ServerDefinition } from './definitions.ts';
import { valuesOf } from '../../engine/dialect.ts';
import { eachChunk } from '../../engine/each-chunk.ts';
import { playersIn } from '../players/sightings.ts';
import { deleteServerData } from './delete-server-data.ts';
import { markServerStale, refreshStale } from '../players/stale-statistics.ts';
import { placeName } from '../../../files/remote/place-name.ts';
import { StoreError } from '../../engine/error.ts';

/** How much is stored of a server. */
export interface ServerContents {
  runs: number;
  files: number;
  characters: number;
  samples: number;
}

type NewServer = Pick<ServerDefinition, 'id' | 'files' | 'logs' | 'playersDb'>;

/**
 * Refuses a new server whose files are already counted under another id of the project: all figures would double.
 * @throws StoreError
 */
export async function refuseCountedTwice(db: Database, projectId: string, server: NewServer): Promise<void> {
  const other = await findCountedTwice(db, projectId, server);
  if (other === null) return;
  const { found, next } = countedTwice(other, server.id);
  throw new StoreError(
    `the server id ${JSON.stringify(server.id)} is new, but its files are ${found}. ${next}`,
  );
}

/** The id under which the files of a new server are counted; null: under none, or the server is not new. */
export async function findCountedTwice(
  db: Reader,
  projectId: string,
  { id, files, logs, playersDb }: NewServer,
): Promise<string | null> {
  const known = await db.selectFrom('server').select('id').where('id', '=', id).executeTakeFirst();
  if (known !== undefined) return null;
  const place = files === undefined ? null : placeName(files);
  return (
    (logs === undefined ? null : await serverOfLogs(db, projectId, place, logs)) ??
    (playersDb === undefined ? null : await serverOfPlayersDb(db, projectId, place, playersDb))
  );
}

/** What would happen if files of one server were counted for another one, and what to do. */
export function countedTwice(server: string, other: string): { found: string; next: string } {
  return {
    found: `already counted for the server ${JSON.stringify(server)}: everybody's figures would double`,
    next:
      `If it was renamed, write "formerly: ${server}" below its id in the config; to count again, ` +
      `run "outpost server forget ${server}"; else give ${JSON.stringify(other)} files of its own, or its earlier id back`,
  };
}

async function serverOfLogs(
  db: Reader,
  projectId: string,
  place: string | null,
  folder: string,
): Promise<string | null> {
  const files = await db
    .selectFrom('log_file')
    .innerJoin('server', 'server.id', 'log_file.server_id')
    .select(['server_id', 'path'])
    .where('project_id', '=', projectId)
    .where('files_at', 'is not distinct from', place)
    .execute();
  return files.find(({ path }) => resolve(dirname(path)) === resolve(folder))?.server_id ?? null;
}

async function serverOfPlayersDb(
  db: Reader,
  projectId: string,
  place: string | null,
  file: string,
): Promise<string | null> {
  const read = await db
    .selectFrom('source_state')
    .innerJoin('server', 'server.id', 'source_state.owner_id')
    .select(['owner_id', 'path'])
    .where('project_id', '=', projectId)
    .where('files_at', 'is not distinct from', place)
    .where('kind', '=', 'playersDb')
    .where('read_at', 'is not', null)
    .execute();
  return read.find(({ path }) => resolve(path) === resolve(file))?.owner_id ?? null;
}

/**
 * Moves everything stored of a server to another id, which may not have figures yet.
 * @throws StoreError when there is no such server, or the other id has figures
 */
export async function renameServer(db: Database, from: string, to: string): Promise<ServerContents> {
  await requireRenamable(db, from, to);
  const { project_id } = await findServer(db, from);
  // The largest table takes several transactions, so that other writers need not wait long. After an interruption, the
  // same call moves the rest.
  await eachChunk(await playersIn(db, 'player_alias', from), async (chunk) => {
    const only = sql`player_id IN ${valuesOf('integer', chunk)}`;
    const names = { table: 'player_alias', column: 'server_id', key: tablesOfServers.player_alias, only };
    await writeProject(db, project_id, async (tx) => await moveRows(tx, names, from, to));
  });
  const moved = await writeStore(db, async (tx) => {
    const other = await requireRenamable(tx, from, to);
    const contents = await contentsOf(tx, from);
    if (other === undefined) await copyServerRow(tx, from, to);
    else {
      // The schedules and the server's own row come from the config.
      await tx.deleteFrom('schedule').where('server_id', '=', from).execute();
    }
    for (const [table, key] of Object.entries(tablesOfServers)) {
      await moveRows(tx, { table, column: 'server_id', key }, from, to);
    }
    const sources = { table: 'source_state', column: 'owner_id', key: ['kind', 'path'], only: ofServer };
    await moveRows(tx, sources, from, to);
    await changeBanTargets(tx, (id) => (id === from ? [to] : [id]));
    await tx.deleteFrom('server').where('id', '=', from).execute();
    // The server's row may choose other sources for a metric.
    if (other !== undefined) await markServerStale(tx, to);
    return contents;
  });
  await refreshStale(db);
  return moved;
}

/** @returns the row of the server `to`, if it has one @throws StoreError when `from` cannot get that id */
async function requireRenamable(
  db: Database,
  from: string,
  to: string,
): Promise<{ project_id: string } | undefined> {
  const { project_id } = await findServer(db, from);
  if (from === to) throw new StoreError(`the server ${JSON.stringify(from)} has that id already`);
  const other = await db.selectFrom('server').select('project_id').where('id', '=', to).executeTakeFirst();
  if (other !== undefined && other.project_id !== project_id) {
    throw new StoreError(`the server id ${JSON.stringify(to)} belongs to another project: choose another id`);
  }
  const taken = await contentsOf(db, to);
  if (taken.runs + taken.characters > 0) {
    throw new StoreError(
      `the server ${JSON.stringify(to)} has figures of its own (${taken.runs} log runs, ${taken.characters} characters). ` +
        `If those are the same, counted twice, run "outpost server forget ${to}" first`,
    );
  }
  return other;
}

/**
 * Deletes everything stored of a server. Its players keep what other servers recorded of them; their figures are
 * stale until `refreshStale`. Takes several transactions; what is interrupted is completed by forgetting the server again.
 * @throws StoreError when there is no such server
 */
export async function forgetServer(db: Database, id: string): Promise<ServerContents & { players: number }> {
  const contents = await readServerContents(db, id);
  const { project_id } = await findServer(db, id);
  const players = await deleteServerData(db, { id, projectId: project_id });
  await writeStore(db, async (tx) => {
    for (const table of Object.keys(tablesOfServers)) {
      await sql`DELETE FROM ${sql.table(table)} WHERE server_id = ${id}`.execute(tx);
    }
    await sql`DELETE FROM source_state WHERE owner_id = ${id} AND ${ofServer}`.execute(tx);
    await changeBanTargets(tx, (each) => (each === id ? [] : [each]));
    await tx.deleteFrom('server').where('id', '=', id).execute();
  });
  return { ...contents, players };
}

/** How much is stored of a server. @throws StoreError when there is no such server */
export async function readServerContents(db: Database, id: string): Promise<ServerContents> {
  await findServer(db, id);
  return await contentsOf(db, id);
}

/** The sources of a server; those of bans belong to a ban list. */
const ofServer = sql`kind <> 'bans'`;

async function findServer(db: Database, id: string): Promise<{ project_id: string }> {
  const servers = await db.selectFrom('server').select(['id', 'project_id']).orderBy('position').execute();
  const server = servers.find((each) => each.id === id);
  if (server !== undefined) return server;
  const known = servers.map((each) => each.id).join(', ');
  throw new StoreError(
    `no server ${JSON.stringify(id)} is known; known are: ${known === '' ? 'none' : known}`,
  );
}

async function contentsOf(db: Database, id: string): Promise<ServerContents> {
  const { rows } = await sql<ServerContents>`
    SELECT (SELECT count(*) FROM log_run WHERE server_id = ${id}) AS runs,
      (SELECT count(*) FROM log_file WHERE server_id = ${id}) AS files,
      (SELECT count(*) FROM character WHERE server_id = ${id}) AS characters,
      (SELECT count(*) FROM server_sample WHERE server_id = ${id}) AS samples
  `.execute(db);
  return rows[0] as ServerContents;
}

type TableOfServers = Exclude<
  { [Table in keyof Schema]: 'server_id' extends keyof Schema[Table] ? Table : never }[keyof Schema],
  keyof SharedTables
>;

/** What tells a server's rows of a table apart: these columns, or an id of each row; or there is only one row. */
type RowKey = readonly string[] | 'one row' | 'own id';

const tablesOfServers: Record<TableOfServers, RowKey> = {
  schedule: 'own id',
  server_state: 'one row',
  server_sample: ['sampled_at'],
  player_alias: ['player_id', 'name'],
  log_run: ['header'],
  character: ['player_id'],
  players_db: 'one row',
  // A foreign key changes the rows of log_file_player with them.
  log_file: ['path'],
  log_file_player: ['path', 'game_id'],
  death: 'own id',
  death_cell: ['week', 'kind', 'x', 'z'],
  roster: 'one row',
  roster_player: ['game_id'],
  restored_server: 'one row',
  forgotten_name: ['hash'],
  stay: 'own id',
};

/** Moves a server's rows of a table to another server, in place of rows with the same key that it has. */
async function moveRows(
  tx: Database,
  {
    table,
    column,
    key,
    only = sql`true`,
  }: { table: string; column: string; key: RowKey; only?: RawBuilder<unknown> },
  from: string,
  to: string,
): Promise<void> {
  if (key !== 'own id') {
    const sameKey = (key === 'one row' ? [] : key).map(
      (each) => sql`AND moved.${sql.ref(each)} = kept.${sql.ref(each)}`,
    );
    await sql`
      DELETE FROM ${sql.table(table)} AS kept WHERE ${sql.ref(column)} = ${to} AND ${only} AND EXISTS (
        SELECT 1 FROM ${sql.table(table)} AS moved WHERE moved.${sql.ref(column)} = ${from} ${sql.join(sameKey, sql` `)}
      )
    `.execute(tx);
  }
  await sql`
    UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${to} WHERE ${sql.ref(column)} = ${from} AND ${only}
  `.execute(tx);
}

async function copyServerRow(tx: Database, from: string, to: string): Promise<void> {
  const row = await tx.selectFrom('server').selectAll().where('id', '=', from).executeTakeFirstOrThrow();
  await tx
    .insertInto('server')
    .values({ ...row, id: to })
    .execute();
}

async function changeBanTargets(tx: Database, become: (id: string) => string[]): Promise<void> {
  const lists = await tx.selectFrom('ban_list').select(['id', 'server_ids', 'file_servers']).execute();
  for (const { id, server_ids, file_servers } of lists) {
    const servers = (JSON.parse(server_ids) as string[]).flatMap(become);
    const byFile = Object.entries(JSON.parse(file_servers) as Record<string, string[]>).map(
      ([source, ids]): [string, string[]] => [source, ids.flatMap(become)],
    );
    await tx
      .updateTable('ban_list')
      .set({ server_ids: JSON.stringify(servers), file_servers: JSON.stringify(Object.fromEntries(byFile)) })
      .where('id', '=', id)
      .execute();
  }
}
