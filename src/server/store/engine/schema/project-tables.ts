import type { Generated } from 'kysely';

type Flag = number;
/** JSON text in a column. */
type Json = string;

/** A schedule of the config. If it has a `file`, a messages.xml, its interval comes from there (`restart_file`). */
export interface ScheduleTable {
  id: Generated<number>;
  server_id: string;
  position: number;
  kind: string;
  title: string;
  description: string | null;
  recurrence: string;
  interval_minutes: number | null;
  time_of_day: string | null;
  /** JSON array of `MON` … `SUN`. */
  weekdays: Json;
  timezone: string;
  file: Generated<string | null>;
  public: Flag;
  active: Flag;
}

/** A messages.xml as last read; `restart_minutes` is NULL where it restarts no server. */
export interface RestartFileTable {
  path: string;
  restart_minutes: number | null;
}

/** The result of the last check of a server. */
export interface ServerStateTable {
  server_id: string;
  status: string;
  map: string | null;
  players: number | null;
  max_players: number | null;
  checked_at: number;
}

/** The player count once a minute, for charts; `players` is NULL while the server does not answer. */
export interface ServerSampleTable {
  server_id: string;
  /** Start of the minute. */
  sampled_at: number;
  players: number | null;
  max_players: number | null;
}

/** A host of remote files and the key or certificate that it was trusted by. */
export interface TrustedHostTable {
  /** Such as `sftp://host:22`. */
  address: string;
  /** `SHA256:…` */
  fingerprint: string;
  trusted_at: number;
}

/** A server whose logs are read for the first time since a restore: what is in them by then is history. */
export interface RestoredServerTable {
  server_id: string;
}

/** A row of Keyv's table: `namespace:key`, and a JSON object with the value and when it expires. */
export interface SmallValueTable {
  key: string;
  value: Json;
}
