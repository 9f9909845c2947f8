/** A server whose logs are read for the first time since a restore: what is in them by then is history. */
export interface RestoredServerTable {
  server_id: string;
}
