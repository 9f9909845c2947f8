/** The samples of a server within one step. */
export interface HistoryBucket {
  /** Start of the step; epoch milliseconds, a multiple of the step's length. */
  at: number;
  /** Mean of the samples with a count; null: the server did not answer during the whole step. */
  players: number | null;
  peak: number | null;
  maxPlayers: number | null;
}

export interface ServerHistory {
  /** IANA time zone of the server. */
  timezone: string;
  /** In chronological order. Steps without samples are left out. */
  buckets: readonly HistoryBucket[];
}

/** Player counts from `from` to `to` in steps of `stepMs`. An unknown server has no buckets. */
export type PlayerHistory = (
  serverId: string,
  from: number,
  to: number,
  stepMs: number,
) => Promise<ServerHistory>;
