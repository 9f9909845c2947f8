import { sql } from 'kysely';
import { hasAnswered, type Schedule, type Server, type serverStatuses } from '../../../../api/resources.ts';
import { joinInOrder } from '../../engine/dialect.ts';
import { eachChunk, latestOf } from '../../engine/each-chunk.ts';
import { write } from '../../engine/transactions.ts';
import { tableRows } from '../../engine/table-rows.ts';
import type { Database, Reader } from '../../engine/database.ts';
import { unknownId } from '../../engine/error.ts';
import { latestHeader } from '../logs/run-copies.ts';

type ServerStatus = (typeof serverStatuses)[number];

/** How to query a game server for its state. */
export interface QueryTarget {
  id: string;
  name: string;
  game: string;
  host: string;
  port: number;
  /** Null: GameDig's rule for the game finds it from `port`. */
  queryPort: number | null;
}

export interface PolledTarget extends QueryTarget {
  hasAnswered: boolean;
}

/** The known state of a server; figures that the query does not return are null. */
export interface ServerState {
  status: ServerStatus;
  map: string | null;
  players: number | null;
  maxPlayers: number | null;
  checkedAt: number;
}

const toServer = <Row extends { status: string | null; checkedAt: number | null }>(row: Row) => ({
  ...row,
  status: (row.status ?? 'UNKNOWN') as ServerStatus,
  checkedAt: row.checkedAt === null ? null : new Date(row.checkedAt).toISOString(),
});

function activeServers(db: Reader, projectId: string) {
  return db
    .selectFrom('server')
    .leftJoin('server_state', 'server_state.server_id', 'server.id')
    .select(['server.id', 'server.name', 'map', 'status', 'players'])
    .select(['max_players as maxPlayers', 'checked_at as checkedAt'])
    .where('server.project_id', '=', projectId)
    .where('server.active', '=', 1);
}

/** Active servers of a project, in the order of the config. */
export async function listServers(db: Reader, projectId: string): Promise<Server[]> {
  return (await activeServers(db, projectId).orderBy('server.position').execute()).map(toServer);
}

export async function findServer(db: Reader, projectId: string, id: string): Promise<Server | null> {
  const row = await activeServers(db, projectId).where('server.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toServer(row);
}

const targetColumns = [
  'server.id',
  'server.name',
  'game',
  'host',
  'port',
  'query_port as queryPort',
] as const;

/** A server's id and project. @throws StoreError when there is no such active server */
export async function findOwnServer(
  db: Reader,
  id: string,
): Promise<{ projectId: string; game: string; timezone: string }> {
  const active = db.selectFrom('server').where('active', '=', 1);
  const server = await active
    .select(['project_id as projectId', 'game', 'timezone'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (server !== undefined) return server;
  throw unknownId('server', id, await active.select('id').orderBy('position').execute());
}

/** Where to query a server of a project; null when the project has no such active server. */
export async function findQueryTarget(
  db: Reader,
  projectId: string,
  id: string,
): Promise<QueryTarget | null> {
  const row = await db
    .selectFrom('server')
    .select(targetColumns)
    .where('server.id', '=', id)
    .where('project_id', '=', projectId)
    .where('active', '=', 1)
    .executeTakeFirst();
  return row ?? null;
}

/** Every active server of every active project. */
export async function listQueryTargets(db: Reader): Promise<PolledTarget[]> {
  const rows = await db
    .selectFrom('server')
    .innerJoin('project', 'project.id', 'server.project_id')
    .leftJoin('server_state', 'server_state.server_id', 'server.id')
    .select(targetColumns)
    .select(['server_state.status', 'server_state.map', 'server_state.max_players as maxPlayers'])
    .where('server.active', '=', 1)
    .where('project.active', '=', 1)
    .orderBy('server.id')
    .execute();
  return rows.map(({ status, map, maxPlayers, ...row }) => ({
    ...row,
    hasAnswered: hasAnswered({ status, map, maxPlayers }),
  }));
}

/**
 * Active public schedules of servers, in the order of the config; every requested server has an entry. Restarts from
 * a messages.xml count from the server's start, which is the time of its latest log; there are none where the file
 * restarts no server.
 */
export async function listSchedulesOf(
  db: Reader,
  serverIds: readonly string[],
): Promise<Map<string, Schedule[]>> {
  const schedules = new Map(serverIds.map((id): [string, Schedule[]] => [id, []]));
  const rows = await db
    .selectFrom('schedule')
    .leftJoin('restart_file', 'restart_file.path', 'schedule.file')
    .select(['server_id', 'file', 'restart_minutes', 'kind', 'title', 'description', 'recurrence'])
    .select(['interval_minutes as intervalMinutes', 'time_of_day as timeOfDay', 'weekdays', 'timezone'])
    .where('server_id', 'in', serverIds)
    .where('active', '=', 1)
    .where('public', '=', 1)
    .where(({ or, eb }) => or([eb('file', 'is', null), eb('restart_minutes', 'is not', null)]))
    .orderBy('position')
    .execute();
  const starts = new Map<string, string | null>();
  for (const { file, server_id: id } of rows) {
    // `HH:mm` on the server's clock.
    if (file !== null && !starts.has(id)) starts.set(id, (await latestHeader(db, id))?.slice(11, 16) ?? null);
  }
  for (const { server_id, file, restart_minutes, ...row } of rows) {
    schedules.get(server_id)?.push({
      ...row,
      kind: row.kind as Schedule['kind'],
      recurrence: row.recurrence as Schedule['recurrence'],
      weekdays: JSON.parse(row.weekdays) as Schedule['weekdays'],
      ...(file !== null && restartTimes(row.description, restart_minutes, starts.get(server_id) ?? null)),
    });
  }
  return schedules;
}

export async function listSchedules(db: Reader, serverId: string): Promise<Schedule[]> {
  return (await listSchedulesOf(db, [serverId])).get(serverId) ?? [];
}

const startUnknown = 'It counts from the start of the server, which no log shows yet.';

/** @param start `HH:mm` on the server's clock */
function restartTimes(
  description: string | null,
  intervalMinutes: number | null,
  start: string | null,
): Pick<Schedule, 'intervalMinutes' | 'timeOfDay' | 'description'> {
  const words = start === null ? [description ?? '', startUnknown].join(' ').trim() : description;
  return { intervalMinutes, timeOfDay: start, description: words };
}

/**
 * Stores the results of checks and, once a minute, a sample for charts, project by project. Servers that the store no
 * longer has are left out. A server that is not ONLINE keeps its last map and slots.
 */
export async function saveServerStates(
  db: Database,
  states: readonly (ServerState & { serverId: string })[],
): Promise<void> {
  const latest = latestOf(states, ({ serverId }) => serverId);
  const rows = latest.map(({ serverId: server_id, status, map, players, maxPlayers, checkedAt }) => {
    return { server_id, status, map, players, max_players: maxPlayers, checked_at: checkedAt };
  });
  await eachChunk(rows, async (chunk) => {
    await write(db, async (tx) => {
      await sql`
        INSERT INTO server_state (server_id, status, map, players, max_players, checked_at)
        SELECT server.id, found.status, found.map, found.players, found.max_players, found.checked_at
        FROM ${tableRows('found', chunk)} ${joinInOrder} server ON server.id = found.server_id
        WHERE true
        ON CONFLICT (server_id) DO UPDATE SET
          status = excluded.status, players = excluded.players, checked_at = excluded.checked_at,
          map = CASE excluded.status WHEN 'ONLINE' THEN excluded.map
            ELSE coalesce(excluded.map, server_state.map) END,
          max_players = CASE excluded.status WHEN 'ONLINE' THEN excluded.max_players
            ELSE coalesce(excluded.max_players, server_state.max_players) END
      `.execute(tx);
      await sql`
        INSERT INTO server_sample (server_id, sampled_at, players, max_players)
        SELECT server_state.server_id, server_state.checked_at - server_state.checked_at % 60000, server_state.players,
          server_state.max_players
        FROM ${tableRows('found', chunk)} ${joinInOrder} server_state
          ON server_state.server_id = found.server_id
        WHERE true
        ON CONFLICT (server_id, sampled_at) DO UPDATE SET
          players = excluded.players, max_players = excluded.max_players
      `.execute(tx);
    });
  });
}
