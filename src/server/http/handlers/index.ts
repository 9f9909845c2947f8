import type { DataOperationId } from '../../../api/operations.ts';
import { listBanlists, listBans } from './ban-lists.ts';
import type { Handler } from './handler.ts';
import { listLeaderboards } from './leaderboards.ts';
import { getPlayer, listOnlinePlayers } from './players.ts';
import { getProject } from './project.ts';
import { getServer, listSchedules, listServers } from './servers.ts';

/** One handler per operation; leaving one out is a type error. */
export const handlers: { readonly [Id in DataOperationId]: Handler<Id> } = {
  getProject,
  listServers,
  getServer,
  listSchedules,
  listOnlinePlayers,
  listLeaderboards,
  getPlayer,
  listBanlists,
  listBans,
};
