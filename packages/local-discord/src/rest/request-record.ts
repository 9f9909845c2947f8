/** A request of the bot and the answer it got. */
export interface RequestRecord {
  method: string;
  /** Decoded path below `/api/v10`, without the query. */
  path: string;
  query: string;
  body: unknown;
  /** Names of uploaded files. */
  files: string[];
  /** Whether a bot token came along. */
  authorised: boolean;
  /** 0 when the connection was cut instead of answered. */
  status: number;
  /** Body of the answer. */
  answer: unknown;
  /** Epoch ms at which the request came. */
  at: number;
}

/**
 * Name of the diagnostics channel (node:diagnostics_channel) on which every local Discord of a process publishes each
 * request that it has answered, as a `RequestRecord`.
 */
export const requestsChannel = 'local-discord:request';
