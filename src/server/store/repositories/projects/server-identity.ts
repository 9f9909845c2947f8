import { dirname, resolve } from 'node:path';
import { sql } from 'kysely';
import { placeName } from 'game-files';
import type { Database, Reader } from '../../engine/database.ts';
import { valuesOf } from '../../engine/dialect.ts';
import { eachChunk } from '../../engine/each-chunk.ts';
import { updateRows } from '../../engine/table-rows.ts';
import { letOthersWrite, writeProject, writeStore } from '../../engine/transactions.ts';
import { tablesWith } from '../../engine/schema/schema.ts';
import type { ServerConfig } from '../../../../config/schema.ts';
import { refreshSeen } from '../players/sightings.ts';
import { markStale } from '../players/stale-statistics.ts';
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
  const servers = db
    .selectFrom('server')
    .where('project_id', '=', projectId)
    .where('files_at', 'is not distinct from', files === undefined ? null : placeName(files));
  const counted = await servers
    .innerJoin('log_file', 'log_file.server_id', 'server.id')
    .select(['server.id', 'path'])
    .execute();
  const read = await servers
    .innerJoin('source_state', 'source_state.owner_id', 'server.id')
    .select(['server.id', 'path'])
    .where('kind', '=', 'playersDb')
    .where('read_at', 'is not', null)
    .execute();
  const isSame = (path: string, file: string | undefined): boolean =>
    file !== undefined && resolve(path) === resolve(file);
  const other =
    counted.find(({ path }) => isSame(dirname(path), logs))?.id ??
    read.find(({ path }) => isSame(path, playersDb))?.id ??
    null;
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

/** For one transaction, during which other writers of the project wait. */
const runsAtOnce = 50;

/**
 * Deletes everything stored of a server, some runs and players at a time. Its players keep what other servers recorded of them;
 * their figures are stale until `refreshStale`. What is interrupted leaves the server with the rest of its data, and is completed
 * by forgetting it again.
 * @returns how much there was, and how many players have stale figures @throws StoreError when there is no such server
 */
export async function forgetServer(db: Database, id: string): Promise<ServerContents & { players: number }> {
  const contents = await readServerContents(db, id);
  const server = db.selectFrom('server').select('project_id').where('id', '=', id);
  const { project_id } = await server.executeTakeFirstOrThrow();
  const stale = new Set<number>();
  const noteStale = async (tx: Database, rows: readonly { player_id: number }[]): Promise<void> => {
    const ids = new Set(rows.map(({ player_id }) => player_id));
    await markStale(tx, ids);
    for (const player of ids) stale.add(player);
  };
  for (let isDone = false; !isDone; await letOthersWrite()) {
    isDone = await writeProject(db, project_id, async (tx) => {
      const runs = await tx
        .selectFrom('log_run')
        .select('id')
        .where('server_id', '=', id)
        .limit(runsAtOnce)
        .execute();
      const ids = valuesOf(
        'integer',
        runs.map((run) => run.id),
      );
      const figures = await tx
        .deleteFrom('log_run_player')
        .where('run_id', 'in', ids)
        .returning('player_id')
        .execute();
      await noteStale(tx, figures);
      await tx.deleteFrom('log_run').where('id', 'in', ids).execute();
      return runs.length < runsAtOnce;
    });
  }
  const players = await playersOf(db, id);
  await eachChunk(players, async (some) => {
    await writeProject(db, project_id, async (tx) => {
      const ids = valuesOf('integer', some);
      const characters = await tx
        .deleteFrom('character')
        .where('server_id', '=', id)
        .where('player_id', 'in', ids)
        .returning('player_id')
        .execute();
      await noteStale(tx, characters);
      await tx.deleteFrom('player_alias').where('server_id', '=', id).where('player_id', 'in', ids).execute();
      await refreshSeen(tx, some);
    });
    await letOthersWrite();
  });
  await writeStore(db, async (tx) => {
    await deleteRows(tx, id);
    await changeBanTargets(tx, (each) => (each === id ? [] : [each]));
  });
  return { ...contents, players: stale.size };
}

/** Who was seen on a server, or has a character there. */
async function playersOf(db: Reader, serverId: string): Promise<number[]> {
  const rows = await db
    .selectFrom('player_alias')
    .select('player_id')
    .where('server_id', '=', serverId)
    .union(db.selectFrom('character').select('player_id').where('server_id', '=', serverId))
    .execute();
  return rows.map(({ player_id }) => player_id);
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

/** Whose rows belong to servers. */
const tablesOfServers = tablesWith('server_id');

async function changeBanTargets(tx: Database, become: (id: string) => string[]): Promise<void> {
  const lists = await tx.selectFrom('ban_list').select(['id', 'server_ids', 'file_servers']).execute();
  const changed = lists.map(({ id, server_ids, file_servers }) => {
    const servers = (JSON.parse(server_ids) as string[]).flatMap(become);
    const byFile = Object.entries(JSON.parse(file_servers) as Record<string, string[]>).map(
      ([source, ids]) => [source, ids.flatMap(become)] as const,
    );
    return {
      id,
      server_ids: JSON.stringify(servers),
      file_servers: JSON.stringify(Object.fromEntries(byFile)),
    };
  });
  await updateRows(tx, { table: 'ban_list', key: ['id'] }, changed);
}
