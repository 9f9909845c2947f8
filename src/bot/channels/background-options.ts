import type { REST } from '@discordjs/rest';
import type { Keyv } from 'keyv';
import type { Logger } from 'pino';
import type { Charts, Deaths, UnlistedPlayers, Ports } from '../../commands/ports/ports.ts';
import type { Clock } from '../../process/clock.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { GuildConfig } from '../guild-settings.ts';
import type { BotProject } from '../shown-project.ts';
import type { AlertConfig } from './alerts/alert-rules.ts';
import type { CardMessage } from './cards/card-messages.ts';
import type { EditBudget } from './edit-budget.ts';
import type { FeedConfig } from './feeds/feed-config.ts';
import type { KeptMessages } from './kept-messages.ts';
import type { RecapConfig } from './recaps/recap-config.ts';
import type { RoleConfig } from '../../commands/ports/member-roles.ts';
import type { ConfiguredPosts } from './posts/post-config.ts';

/** The part of the config that concerns posts, alerts and presence. */
export interface BackgroundConfig extends ConfiguredPosts {
  /** Language of posts and alerts; left out: each guild's own. */
  locale?: string | undefined;
  guilds?: readonly GuildConfig[] | undefined;
  alerts?: readonly Omit<AlertConfig, 'key'>[] | undefined;
  killFeeds?: readonly Omit<FeedConfig, 'key'>[] | undefined;
  recapPosts?: readonly Omit<RecapConfig, 'key'>[] | undefined;
  roles?: readonly RoleConfig[] | undefined;
  /** Default true. */
  presence?: boolean | undefined;
}

/** All in milliseconds. They fit Discord's limits. */
export const defaultTiming = {
  /** An unchanged post is edited after this time, to refresh its age and chart. */
  heartbeatMs: 600_000,
  /** First delay before a deleted post is sent again. It doubles with each deletion. */
  repostMs: 5_000,
  /** Posts of one tick start this far apart, and closer if there are many. */
  staggerMs: 300,
  /** How long to wait after Discord refused a message in a channel. */
  retryMs: 3_600_000,
  /** How often kill feeds poll for new deaths. */
  feedPollMs: 500,
  /** How often recaps that failed, or wait for their guild, are tried again. */
  recapPollMs: 2_000,
  /** How often who is to have which role is asked. */
  rolePollMs: 20_000,
  /** Between two requests about roles: far below the 50 a second that Discord allows for everything together. */
  roleGapMs: 80,
  /** Between two attempts to read what members placed. */
  readPlacementsMs: 5_000,
};

export interface BackgroundTiming extends Partial<typeof defaultTiming> {
  /** Three edits per channel in this time, and four messages. Default 7 s and 5.5 s, slightly more than Discord requires. */
  channelWindowMs?: number;
}

export interface BackgroundOptions extends Clock {
  gateway: Gateway;
  rest: REST;
  /** The project that a guild shows; null: none. */
  projectOf: (guildId: string | null) => BotProject | null;
  /** Whether guilds show different projects. */
  areSeveral: () => boolean;
  /** Of all projects. Left out: there are no kill feeds. */
  deaths?: Deaths | undefined;
  /** Of all projects. Left out: there are no recaps. */
  recapNames?: Ports['recapNames'];
  /** Left out: the bot gives no roles. */
  roleRecords?: Ports['roleRecords'];
  /** Draws recaps. */
  charts?: Charts | undefined;
  unlisted?: UnlistedPlayers | undefined;
  /** Where cards are shown to everyone. */
  cards: KeptMessages<CardMessage>;
  /** Whether a guild is a home guild. What members placed in other guilds is paused. */
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

/** What all background jobs share. */
export type JobOptions = Omit<BackgroundOptions, 'timing'> &
  Readonly<typeof defaultTiming> & {
    budget: EditBudget;
    /** Ends what waits for its turn, and requests to Discord. */
    signal: AbortSignal;
  };
