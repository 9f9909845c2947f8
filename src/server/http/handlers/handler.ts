import type { DataOperationId, OperationParameters, OperationResponse } from '../../../api/operations.ts';
import type { OnlinePlayers } from '../../../api/resources.ts';
import type { Application } from '../../store/repositories/applications/applications.ts';
import type { ReadDatabase } from '../../store/engine/database.ts';
import type { QueryTarget } from '../../store/repositories/projects/servers.ts';

/** Queries a game server for its players; `failure` says why it could not. */
export interface OnlineList {
  read(target: QueryTarget): Promise<OnlinePlayers | { failure: string }>;
}

/** What a handler may use: it reads the store and queries game servers, and cannot write. */
export interface HandlerContext {
  application: Application;
  db: ReadDatabase['db'];
  online: OnlineList;
  /** Address of the support pages, without the slug; null if there are none. */
  supportUrl: string | null;
  now: () => number;
}

export type Handler<Id extends DataOperationId> = (
  parameters: OperationParameters<Id>,
  context: HandlerContext,
) => Promise<OperationResponse<Id>>;
