import type { Reader } from '../engine/database.ts';

/** The last check of every active server; all but its id is null before the first one. */
export async function readServerStates(db: Reader) {
  return await db
    .selectFrom('server')
    .innerJoin('project', 'project.id', 'server.project_id')
    .leftJoin('server_state', 'server_state.server_id', 'server.id')
    .where('server.active', '=', 1)
    .where('project.active', '=', 1)
    .select([
      'server.id',
      'server_state.status',
      'server_state.players',
      'server_state.max_players as maxPlayers',
      'server_state.checked_at as checkedAt',
    ])
    .orderBy('server.id')
    .execute();
}

/**
 * What was read so far of every server whose logs were; those that only identify players are included. `lastEventAt`: the time of
 * the latest line, epoch milliseconds.
 */
export async function readLogTotals(db: Reader) {
  return await db
    .selectFrom('log_file')
    .select(({ fn }) => [
      'server_id as serverId',
      fn.sum<number>('lines').as('lines'),
      fn.sum<number>('unread_lines').as('unreadLines'),
      fn.max<number | null>('last_event_at').as('lastEventAt'),
    ])
    .groupBy('server_id')
    .execute();
}
