import { dirname, resolve } from 'node:path';
import { sql } from 'kysely';
import { placeName } from 'game-files';
import type { Database, Reader } from '../../engine/database.ts';
import { writeStore } from '../../engine/transactions.ts';
import type { Schema } from '../../engine/schema/schema.ts';
import type { ServerConfig } from '../../../../config/schema.ts';
import { playersIn, refreshSeen } from '../players/sightings.ts';
import { markServerStale } from '../players/stale-statistics.ts';
import { StoreError, unknownId } from '../../engine/error.ts';

/** How much is stored of a server. */
export interface ServerContents {
  runs: number;
  files: number;
  characters: number;
  samples: number;
}

type NewServer = Pick<ServerConfig, 'id' | 'formerly' | 'files' | 'logs' | 'playersDb'>;

/**
 * Refuses a new server whose files are already counted under another id of the project: all figures would double.
 * @throws StoreError
 */
export async function refuseCountedTwice(db: Reader, projectId: string, server: NewServer): Promise<void> {
  const other = await findCountedTwice(db, projectId, server);
  if (other === null) return;
  const { found, next } = countedTwice(other, server.id);
  throw new StoreError(
    `the server id ${JSON.stringify(server.id)} is new, but its files are ${found}. ${next}`,
  );
}

/** The id under which the files of a new server are counted; null: under none, or the server is not new. */
async function findCountedTwice(
  db: Reader,
  projectId: string,
  { id, formerly, files, logs, playersDb }: NewServer,
): Promise<string | null> {
  const known = await db.selectFrom('server').select('id').where('id', '=', id).executeTakeFirst();
  if (known !== undefined) return null;
  const place = files === undefined ? null : placeName(files);
  const other =
    (logs === undefined ? null : await serverOfLogs(db, projectId, place, logs)) ??
    (playersDb === undefined ? null : await serverOfPlayersDb(db, projectId, place, playersDb));
  // The next start renames it.
  return other === formerly ? null : other;
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
 * Gives a server, and everything stored of it, another id. A server that has that id and no figures makes way. It belongs
 * into a transaction.
 */
export async function renameServer(tx: Database, from: string, to: string): Promise<void> {
  const { runs, characters } = await contentsOf(tx, to);
  if (runs + characters > 0) return;
  await deleteRows(tx, to);
  const row = await tx.selectFrom('server').selectAll().where('id', '=', from).executeTakeFirstOrThrow();
  await tx
    .insertInto('server')
    .values({ ...row, id: to })
    .execute();
  for (const table of tablesOfServers)
    await sql`UPDATE ${sql.table(table)} SET server_id = ${to} WHERE server_id = ${from}`.execute(tx);
  await sql`UPDATE source_state SET owner_id = ${to} WHERE owner_id = ${from} AND ${ofServer}`.execute(tx);
  await changeBanTargets(tx, (id) => (id === from ? [to] : [id]));
  await tx.deleteFrom('server').where('id', '=', from).execute();
}

/**
 * Deletes everything stored of a server. Its players keep what other servers recorded of them; their figures are stale until
 * `refreshStale`. Other writers wait meanwhile, on a large store for some seconds.
 * @throws StoreError when there is no such server
 */
export async function forgetServer(db: Database, id: string): Promise<ServerContents & { players: number }> {
  return await writeStore(db, async (tx) => {
    const contents = await readServerContents(tx, id);
    const players = await markServerStale(tx, id);
    const seen = await playersIn(tx, id);
    await deleteRows(tx, id);
    await refreshSeen(tx, seen);
    await changeBanTargets(tx, (each) => (each === id ? [] : [each]));
    return { ...contents, players };
  });
}

async function deleteRows(tx: Database, id: string): Promise<void> {
  for (const table of tablesOfServers)
    await sql`DELETE FROM ${sql.table(table)} WHERE server_id = ${id}`.execute(tx);
  await sql`DELETE FROM source_state WHERE owner_id = ${id} AND ${ofServer}`.execute(tx);
  await tx.deleteFrom('server').where('id', '=', id).execute();
}

/** How much is stored of a server. @throws StoreError when there is no such server */
export async function readServerContents(db: Database, id: string): Promise<ServerContents> {
  const servers = await db.selectFrom('server').select('id').orderBy('position').execute();
  if (servers.some((server) => server.id === id)) return await contentsOf(db, id);
  throw unknownId('server', id, servers);
}

/** The sources of a server; those of bans belong to a ban list. */
const ofServer = sql`kind <> 'bans'`;

async function contentsOf(db: Database, id: string): Promise<ServerContents> {
  const { rows } = await sql<ServerContents>`
    SELECT (SELECT count(*) FROM log_run WHERE server_id = ${id}) AS runs,
      (SELECT count(*) FROM log_file WHERE server_id = ${id}) AS files,
      (SELECT count(*) FROM character WHERE server_id = ${id}) AS characters,
      (SELECT count(*) FROM server_sample WHERE server_id = ${id}) AS samples
  `.execute(db);
  return rows[0] as ServerContents;
}

type TableOfServers = {
  [Table in keyof Schema]: 'server_id' extends keyof Schema[Table] ? Table : never;
}[keyof Schema];

/** Whose rows belong to servers. Each is named, so that a new table is not forgotten. */
const tablesOfServers = Object.keys({
  schedule: true,
  server_state: true,
  server_sample: true,
  player_alias: true,
  log_run: true,
  character: true,
  players_db: true,
  log_file: true,
  death: true,
  roster: true,
  stay: true,
} satisfies Record<TableOfServers, true>) as TableOfServers[];

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
