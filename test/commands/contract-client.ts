import { ServiceError, type Answer, type Client } from '../../src/api/client-types.ts';
import { errorCodes, type ErrorBody, type ErrorCode } from '../../src/api/errors.ts';
import {
  dataOperationIds,
  type DataOperationId,
  type OperationInput,
  type OperationResponse,
} from '../../src/api/operations.ts';
import * as data from '../embeds/contract-data.ts';

type Handlers = {
  [Id in DataOperationId]: (
    input: OperationInput<Id>,
  ) => OperationResponse<Id> | Answer<OperationResponse<Id>> | Promise<OperationResponse<Id>>;
};

/** A refusal as the client rejects with it. */
export function serviceError(code: ErrorCode, extras: Partial<ErrorBody> = {}): ServiceError {
  return new ServiceError(errorCodes[code], { error: code, message: code, requestId: 'req-1', ...extras });
}

/** What commands and pages ask for. */
const ordinary: Partial<Handlers> = {
  getProject: () => ({ project: data.project, support: data.support }),
  listServers: () => ({ servers: data.servers }),
  getServer: () => ({ server: data.server() }),
  listSchedules: () => ({ schedules: data.schedules }),
  listOnlinePlayers: () => data.online(['Anna', 'Bert', 'zoe']),
  listLeaderboards: () => ({ leaderboards: [data.leaderboard(['Anna', 'Bert', 'Carl', 'Dora'])] }),
  getPlayer: () => ({ player: data.player() }),
  listBanlists: () => ({ banlists: [data.banlist()] }),
  listBans: () => ({ bans: data.bans }),
};

const isAnswer = (value: object): value is Answer<unknown> => 'receivedAt' in value && 'stale' in value;

/** A client that answers with contract data, fresh unless a handler says otherwise. `handlers` may be changed later. */
export function contractClient(handlers: Partial<Handlers> = {}, now: () => number = () => data.now): Client {
  const answer = async (id: DataOperationId, input: object): Promise<Answer<unknown>> => {
    const handler = (handlers[id] ?? ordinary[id]) as
      ((input: object) => object | Promise<object>) | undefined;
    if (handler === undefined) throw new Error(`${id} has no answer here`);
    const result = await handler(input);
    return isAnswer(result) ? result : { data: result, receivedAt: now(), stale: false };
  };
  return Object.fromEntries(
    dataOperationIds.map((id) => [id, (input: object = {}) => answer(id, input)]),
  ) as unknown as Client;
}

export type { Handlers };
