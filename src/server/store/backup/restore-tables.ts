/** A server whose logs are read for the first time since a restore: what is in them by then is history. */
export interface RestoredServerTable {
  server_id: string;
}

/** A row of Keyv's table that a restore puts back; deleted once Keyv has it. */
export interface RestoredValueTable {
  key: string;
  value: string;
}
