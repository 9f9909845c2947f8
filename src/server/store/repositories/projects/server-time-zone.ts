import { DateTime } from 'luxon';
import { sql } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { updateRows } from '../../engine/table-rows.ts';
import { type ForgottenList, ListChangedError, ReadAgainError } from '../rights/forgotten-list.ts';
import { playersIn, refreshSeen } from '../players/sightings.ts';

/**
 * Prepares a server's runs to be counted again after its time zone was corrected: they begin at other moments, the times at
 * which its players were seen are unknown until their logs are read again, and so is who is on. Deaths keep their times
 * until then.
 */
export async function recountServer(tx: Database, serverId: string, timezone: string): Promise<void> {
  const runs = await tx
    .selectFrom('log_run')
    .select(['id', 'header'])
    .where('server_id', '=', serverId)
    .execute();
  const moved = runs.map(({ id, header }) => {
    return { id, started_at: DateTime.fromSQL(header, { zone: timezone }).toMillis(), off_zone: 0 };
  });
  await updateRows(tx, { table: 'log_run', key: ['id'] }, moved);
  const players = await playersIn(tx, serverId);
  await sql`
    UPDATE player_alias SET first_seen_at = NULL, last_seen_at = NULL WHERE server_id = ${serverId}
  `.execute(tx);
  await refreshSeen(tx, players);
  await tx.deleteFrom('roster').where('server_id', '=', serverId).execute();
  await tx.deleteFrom('log_file').where('server_id', '=', serverId).execute();
}

export interface ReadConditions {
  /** With which the logs were read. */
  forgotten: ForgottenList;
  /** The zone in which moments were computed. */
  timezone: string;
}

/**
 * Refuses what was read of servers' logs if what it was read with has changed. To be called in the transaction that stores it.
 * @returns what else decides how logs are stored
 * @throws ListChangedError, or ReadAgainError when a server has another zone or project now
 */
export async function requireSame(
  tx: Database,
  projectId: string,
  logs: readonly (ReadConditions & { serverId: string })[],
) {
  const ids = logs.map(({ serverId }) => serverId);
  const rows = await tx
    .selectFrom('server')
    .innerJoin('project', 'project.id', 'server.project_id')
    .innerJoin('rights', (join) => join.onTrue())
    .select(['server.id', 'list_revision', 'kill_positions', 'kills_kept_ms', 'timezone'])
    .select([
      sql<number>`EXISTS (SELECT 1 FROM log_run WHERE log_run.server_id = server.id)`.as('is_logged'),
      sql<number>`EXISTS (SELECT 1 FROM link_challenge WHERE link_challenge.project_id = project.id)`.as(
        'has_challenges',
      ),
    ])
    .where('project.id', '=', projectId)
    .where('server.id', 'in', ids)
    .execute();
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
    killsKeptMs: Math.max(0, ...rows.map((row) => row.kills_kept_ms)),
    /** Which of the servers have no stored run. */
    unlogged: rows.flatMap((row) => (row.is_logged === 1 ? [] : [row.id])),
    /** Whether a member of the project may be proving a link. */
    hasChallenges: rows.some((row) => row.has_challenges === 1),
  };
}
