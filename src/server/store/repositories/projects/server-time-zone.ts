import { DateTime } from 'luxon';
import { sql } from 'kysely';
import { valuesOf } from '../../engine/dialect.ts';
import { eachChunk } from '../../engine/each-chunk.ts';
import type { Database } from '../../engine/database.ts';
import { writeTogether } from '../../engine/send-together.ts';
import { updates } from '../../engine/table-rows.ts';
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
    await writeTogether(
      tx,
      updates({ table: 'player_alias', key: ['player_id', 'name', 'server_id'] }, rows),
    );
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
  await writeTogether(tx, updates({ table: 'log_file', key: ['server_id', 'path'] }, movedFiles));
}

async function moveDeaths(tx: Database, serverId: string, moved: Mover): Promise<void> {
  const deaths = await tx
    .selectFrom('death')
    .select(['id', 'at'])
    .where('server_id', '=', serverId)
    .execute();
  await eachChunk(deaths, async (chunk) => {
    const rows = chunk.map(({ id, at }) => ({ id, at: moved(at) }));
    await writeTogether(tx, updates({ table: 'death', key: ['id'] }, rows));
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
    await writeTogether(tx, updates({ table: 'log_run', key: ['id'] }, rows));
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

/** Reads what may not have changed between reading a log and storing it, to be passed to `requireSame`. */
export const readConditions = (projectId: string, serverIds: readonly string[]) => sql<ReadConditions>`
  SELECT list_revision, kill_positions, server.id AS server_id, timezone,
    EXISTS (SELECT 1 FROM log_run WHERE log_run.server_id = server.id) AS is_logged,
    EXISTS (SELECT 1 FROM link_challenge WHERE link_challenge.project_id = project.id) AS has_challenges
  FROM rights JOIN project ON project.id = ${projectId}
  LEFT JOIN server ON server.project_id = project.id AND server.id IN ${valuesOf('text', serverIds)}
`;

interface ReadConditions {
  list_revision: number;
  kill_positions: number;
  server_id: string | null;
  timezone: string | null;
  /** Whether the server has a stored run. */
  is_logged: number;
  /** Whether a member of the project may be proving a link. */
  has_challenges: number;
}

/**
 * Refuses what was read of servers' logs if one of those conditions has changed. To be called in the transaction that
 * stores it.
 * @param rows of `readConditions`
 * @param readWith the server's time zone (null: the moments were not local times), and the list of forgotten players
 * @throws ListChangedError, or ReadAgainError when the server has another zone or project now
 */
export function requireSame(
  rows: readonly ReadConditions[],
  { serverId, timezone, list }: { serverId: string; timezone: string | null; list: ForgottenList },
): void {
  const name = JSON.stringify(serverId);
  const row = rows.find(({ server_id }) => server_id === serverId);
  if (row === undefined) throw new ReadAgainError(`${name} is no server of the project any more`);
  if (row.list_revision !== list.revision) throw new ListChangedError();
  if (timezone !== null && row.timezone !== timezone) {
    throw new ReadAgainError(
      `the time zone of ${name} was changed to ${row.timezone} while its logs were read: read them again`,
    );
  }
}
