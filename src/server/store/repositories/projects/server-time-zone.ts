import { DateTime } from 'luxon';
import { sql } from 'kysely';
import { eachChunk } from '../../engine/each-chunk.ts';
import type { Database } from '../../engine/database.ts';
import { updateRows } from '../../engine/table-rows.ts';
import { deleteRoster } from '../logs/rosters.ts';
import { type ForgottenList, ListChangedError, ReadAgainError } from '../rights/forgotten-list.ts';
import { refreshSeen } from '../players/sightings.ts';

/**
 * Corrects the stored times of a server's logs after its time zone was corrected: the local times are interpreted in
 * the new zone. The start times of runs follow from their headers. Figures can depend on the zone in nights in which
 * clocks change, so the logs that still exist are counted again. To be called in one transaction: a moment does not show
 * whether it was moved already.
 *
 * Two things cannot be known. A time within the hour that autumn repeats may be wrong by an hour. Figures of such a
 * night whose log is gone stay as they were counted.
 */
export async function moveMoments(tx: Database, serverId: string, from: string, to: string): Promise<void> {
  const moved = mover(from, to);
  const aliases = await tx
    .selectFrom('player_alias')
    .select(['player_id', 'name', 'server_id', 'first_seen_at', 'last_seen_at'])
    .where('server_id', '=', serverId)
    .execute();
  // Computed chunk by chunk: PostgreSQL ends a transaction in which nothing is sent for long.
  await eachChunk(aliases, async (chunk) => {
    const rows = chunk.map(({ first_seen_at, last_seen_at, ...key }) => {
      return { ...key, first_seen_at: moved(first_seen_at), last_seen_at: moved(last_seen_at) };
    });
    await updateRows(tx, { table: 'player_alias', key: ['player_id', 'name', 'server_id'] }, rows);
  });
  await refreshSeen(tx, [...new Set(aliases.map((row) => row.player_id))]);
  await moveDeaths(tx, serverId, moved);
  await moveRuns(tx, serverId, to);
  await deleteRoster(tx, serverId);
  const files = await tx
    .selectFrom('log_file')
    .select(['server_id', 'path', 'last_event_at'])
    .where('server_id', '=', serverId)
    .execute();
  const movedFiles = files.map(({ last_event_at, ...key }) => {
    return { ...key, last_event_at: moved(last_event_at), counts_version: 0 };
  });
  await updateRows(tx, { table: 'log_file', key: ['server_id', 'path'] }, movedFiles);
}

async function moveDeaths(tx: Database, serverId: string, moved: Mover): Promise<void> {
  const deaths = await tx
    .selectFrom('death')
    .select(['id', 'at'])
    .where('server_id', '=', serverId)
    .execute();
  await eachChunk(deaths, async (chunk) => {
    const rows = chunk.map(({ id, at }) => ({ id, at: moved(at) }));
    await updateRows(tx, { table: 'death', key: ['id'] }, rows);
  });
}

async function moveRuns(tx: Database, serverId: string, zone: string): Promise<void> {
  const runs = await tx
    .selectFrom('log_run')
    .select(['id', 'header'])
    .where('server_id', '=', serverId)
    .execute();
  await eachChunk(runs, async (chunk) => {
    const rows = chunk.map(({ id, header }) => {
      const started_at = DateTime.fromSQL(header, { zone }).toMillis();
      return { id, started_at, counts_version: 0, off_zone: 0 };
    });
    await updateRows(tx, { table: 'log_run', key: ['id'] }, rows);
  });
}

/** Time zones change their offsets only on the quarter hour, so all moments within one move alike. */
const quarterMs = 900_000;

type Mover = <Moment extends number | null>(at: Moment) => Moment;

function mover(from: string, to: string): Mover {
  const shifts = new Map<number, number>();
  return (at) => {
    if (at === null) return at;
    const quarter = Math.floor(at / quarterMs) * quarterMs;
    let shift = shifts.get(quarter);
    if (shift === undefined) {
      const local = DateTime.fromMillis(quarter, { zone: from });
      shift = local.setZone(to, { keepLocalTime: true }).toMillis() - quarter;
      shifts.set(quarter, shift);
    }
    return (at + shift) as typeof at;
  };
}

export interface ReadConditions {
  /** With which the logs were read. */
  forgotten: ForgottenList;
  /** The zone in which moments were computed. */
  timezone: string;
}

/** What concerns logs, beside themselves. */
export interface LogSurroundings {
  /** Whether the project keeps positions of deaths. */
  keepsPositions: boolean;
  /** Which of the servers have no stored run. */
  unlogged: string[];
  /** Whether a member of the project may be proving a link. */
  hasChallenges: boolean;
}

/**
 * Refuses what was read of servers' logs if what it was read with has changed. To be called in the transaction that stores it.
 * @throws ListChangedError, or ReadAgainError when a server has another zone or project now
 */
export async function requireSame(
  tx: Database,
  projectId: string,
  logs: readonly (ReadConditions & { serverId: string })[],
): Promise<LogSurroundings> {
  const ids = logs.map(({ serverId }) => serverId);
  const { rows } = await sql<{
    id: string;
    list_revision: number;
    kill_positions: number;
    timezone: string;
    is_logged: number;
    has_challenges: number;
  }>`
    SELECT server.id, list_revision, kill_positions, timezone,
      EXISTS (SELECT 1 FROM log_run WHERE log_run.server_id = server.id) AS is_logged,
      EXISTS (SELECT 1 FROM link_challenge WHERE link_challenge.project_id = project.id) AS has_challenges
    FROM rights JOIN project ON project.id = ${projectId}
    JOIN server ON server.project_id = project.id AND server.id IN (${sql.join(ids)})
  `.execute(tx);
  const found = new Map(rows.map((row) => [row.id, row]));
  for (const { serverId, forgotten, timezone } of logs) {
    const name = JSON.stringify(serverId);
    const row = found.get(serverId);
    if (row === undefined) throw new ReadAgainError(`${name} is no server of the project any more`);
    if (row.list_revision !== forgotten.revision) throw new ListChangedError();
    if (row.timezone !== timezone) {
      throw new ReadAgainError(
        `the time zone of ${name} was changed to ${row.timezone} while its logs were read: read them again`,
      );
    }
  }
  return {
    keepsPositions: rows.some((row) => row.kill_positions === 1),
    unlogged: rows.flatMap((row) => (row.is_logged === 1 ? [] : [row.id])),
    hasChallenges: rows.some((row) => row.has_challenges === 1),
  };
}
