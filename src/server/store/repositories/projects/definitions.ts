import type { PlaceAddress } from 'game-files';
import type { MetricSource, SharedMetric } from '../../../../api/metrics.ts';
import type { Banlist, Schedule } from '../../../../api/resources.ts';

/** What the owner defines, in the shape of the config. `reconcile` makes the store agree with it. */
export interface Definitions {
  projects: readonly ProjectDefinition[];
}

export interface ProjectDefinition {
  slug: string;
  name: string;
  plan: string;
  suspended: boolean;
  support: {
    title?: string | undefined;
    description?: string | undefined;
    accentColor?: string | undefined;
    logoUrl?: string | undefined;
    bannerUrl?: string | undefined;
    discordUrl?: string | undefined;
  };
  servers: readonly ServerDefinition[];
  banlists: readonly BanListDefinition[];
  /** For how long deaths are kept, in milliseconds. */
  killsKept: number;
  /** Whether the places of deaths are kept. */
  killPositions: boolean;
  leaderboards: {
    /** Whether boards show players whom a ban list of the project bans for good. */
    banned: 'hide' | 'show';
  };
  /** Applications with a limit of their own. */
  applications: readonly { id: string; requestsPerMinute: number }[];
}

export interface ServerDefinition {
  id: string;
  /** The id that it had before. */
  formerly?: string | undefined;
  name: string;
  game: string;
  host: string;
  port: number;
  queryPort?: number | undefined;
  timezone: string;
  /** Where its files lie; left out: on this machine. */
  files?: PlaceAddress | undefined;
  /** Folder of logs. */
  logs?: string | undefined;
  playersDb?: string | undefined;
  metricSources: Partial<Record<SharedMetric, MetricSource | undefined>>;
  schedules: readonly ScheduleDefinition[];
  active: boolean;
}

export type ScheduleDefinition = {
  title: string;
  description?: string | undefined;
  public: boolean;
  active: boolean;
} & (
  | {
      source?: 'config' | undefined;
      kind: Schedule['kind'];
      recurrence: Schedule['recurrence'];
      intervalMinutes?: number | undefined;
      timeOfDay?: string | undefined;
      weekdays?: readonly string[] | undefined;
      timezone?: string | undefined;
    }
  | { source: 'messages.xml'; file: string }
);

export interface BanListDefinition {
  id: string;
  name: string;
  description?: string | undefined;
  public: boolean;
  verificationStatus: Banlist['verificationStatus'];
  /** Servers to which the list applies; left out: every server of the project. */
  servers?: readonly string[] | undefined;
  sources: readonly {
    file: string;
    /** The server at whose place the file lies; left out: on this machine. */
    filesOf?: string | undefined;
    format: string;
    servers?: readonly string[] | undefined;
  }[];
  active: boolean;
}
