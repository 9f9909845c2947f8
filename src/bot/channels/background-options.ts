import type { REST } from '@discordjs/rest';
import type { Keyv } from 'keyv';
import type { Logger } from 'pino';
import type { RoleConfig } from '../../commands/ports/member-roles.ts';
import type { Pictures } from '../../commands/ports/community.ts';
import type { Clock } from '../../process/clock.ts';
import type { BotRecords } from '../bot-records.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { GuildConfig } from '../guild-settings.ts';
import type { ShownProject } from '../shown-project.ts';
import type { ConfiguredJobs } from './configured-jobs.ts';
import type { BackgroundTiming, defaultTiming } from './timing.ts';

/** The part of the config that concerns what the bot does on its own. */
export interface BackgroundConfig extends ConfiguredJobs {
  /** Language of posts and alerts; left out: each guild's own. */
  locale?: string | undefined;
  guilds?: readonly GuildConfig[] | undefined;
  roles?: readonly RoleConfig[] | undefined;
  /** Default true. */
  presence?: boolean | undefined;
}

export interface BackgroundOptions extends Clock {
  gateway: Gateway;
  rest: REST;
  pictures: Pictures;
  /** The project that a guild shows; null: none. */
  projectOf: (guildId: string | null) => ShownProject | null;
  /** Whether guilds show different projects. */
  areSeveral: () => boolean;
  records: BotRecords | null;
  isHome: (guildId: string) => boolean;
  /** Whether the config names all home guilds, so that the owner wants any other guild to be none. */
  areHomesKnown: () => boolean;
  /** Read at each use. Jobs are started again when anything but `guilds` changes. */
  config: () => BackgroundConfig;
  /** Must throw on failure, so that a failure is not read as "absent". */
  keyv: Keyv;
  log: Logger;
  timing: BackgroundTiming;
}

/** What all jobs share. */
export type JobOptions = Omit<BackgroundOptions, 'timing'> &
  Readonly<typeof defaultTiming> & {
    /** Ends requests to Discord. */
    signal: AbortSignal;
  };
