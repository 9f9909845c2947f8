/** What a server's samples say of one stretch of time. */
export interface HistoryBucket {
  /** Start of the stretch; epoch milliseconds, a multiple of the step asked for. */
  at: number;
  /** Mean over the samples that know a count; null: the server did not answer in all of it. */
  players: number | null;
  peak: number | null;
  maxPlayers: number | null;
}

export interface ServerHistory {
  /** IANA time zone of the server. */
  timezone: string;
  /** In order of time. A stretch without any sample is not among them: nothing is known of it. */
  buckets: readonly HistoryBucket[];
}

/** Player counts of the past, from `from` to `to` in steps of `stepMs`. A server that is not known has no buckets. */
export type PlayerHistory = (
  serverId: string,
  from: number,
  to: number,
  stepMs: number,
) => Promise<ServerHistory>;
