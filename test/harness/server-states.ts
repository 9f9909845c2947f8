import type { Database, ReadDatabase } from '../../src/server/store/engine/database.ts';
import { saveServerStates, type ServerState } from '../../src/server/store/repositories/projects/servers.ts';

export async function saveServerState(db: Database, serverId: string, state: ServerState): Promise<void> {
  await saveServerStates(db, [{ serverId, ...state }]);
}

export async function findServerState(db: ReadDatabase['db'], serverId: string): Promise<ServerState | null> {
  const row = await db
    .selectFrom('server_state')
    .select(['status', 'map', 'players', 'max_players as maxPlayers', 'checked_at as checkedAt'])
    .where('server_id', '=', serverId)
    .executeTakeFirst();
  return row === undefined ? null : { ...row, status: row.status as ServerState['status'] };
}
