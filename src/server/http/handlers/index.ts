import type { DataOperationId, OperationParameters, OperationResponse } from '../../../api/operations.ts';
import type { Application } from '../../store/applications.ts';
import type { ReadDatabase } from '../../store/database.ts';
import type { OnlineList } from '../../live/online-list.ts';
import { listBanlists, listBans } from './ban-lists.ts';
import { listLeaderboards } from './leaderboards.ts';
import { getPlayer, listOnlinePlayers } from './players.ts';
import { getProject } from './project.ts';
import { getServer, listSchedules, listServers } from './servers.ts';

/** What a handler may use: it reads the store, asks game servers, and can write nowhere. */
export interface HandlerContext {
  application: Application;
  db: ReadDatabase['db'];
  online: OnlineList;
  /** Address of the support pages, without the slug; null when there are none. */
  supportUrl: string | null;
  now: () => number;
}

export type Handler<Id extends DataOperationId> = (
  parameters: OperationParameters<Id>,
  context: HandlerContext,
) => Promise<OperationResponse<Id>>;

/** One handler an operation: leaving one out is a type error. */
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
