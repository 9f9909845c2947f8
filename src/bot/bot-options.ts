import type { REST } from '@discordjs/rest';
import type { Keyv } from 'keyv';
import type { Logger } from 'pino';
import type { Visibility } from '../commands/visibilities.ts';
import type { Sharing } from '../commands/permission.ts';
import type { Pictures } from '../commands/interfaces/community.ts';
import type { RoleConfig } from '../commands/interfaces/member-roles.ts';
import type { ChannelEntries } from '../config/schema/channel-jobs.ts';
import type { Clock } from '../process/clock.ts';
import type { BotRecords } from './bot-records.ts';
import type { Gateway } from './gateway/gateway.ts';
import type { HomeGuilds } from './home-guilds.ts';
import type { BotTiming } from './limits.ts';
import type { GuildProjects } from './shown-project.ts';

export interface GuildConfig {
  id: string;
  /** Slug of the project that it shows; left out: that of the bot. */
  project?: string | undefined;
  locale?: string | undefined;
  /** IANA zone of charts; left out: the server's. */
  timezone?: string | undefined;
}

/** The part of the config that is about Discord. What is left out has the default of `config/schema/discord.ts`. */
export interface BotConfig extends ChannelEntries {
  /** Language of posts and alerts; left out: each guild's own. */
  locale?: string | undefined;
  guilds?: readonly GuildConfig[] | undefined;
  /** Commands only in these guilds; empty: everywhere. */
  guildIds: readonly string[];
  /** Visibility of answers by command name. Default: the command's own. */
  answers?: Readonly<Partial<Record<string, Visibility>>> | undefined;
  /** Who may use the components of a public answer. Default: who asked. */
  buttons?: 'asker' | 'everyone' | undefined;
  sharing?: Sharing | undefined;
  roles?: readonly RoleConfig[] | undefined;
  presence?: boolean | undefined;
  /** Whether the process keeps serving after Discord refused the bot. Default true. */
  keepServing?: boolean | undefined;
}

/** What can change while the bot runs. */
export interface BotSettings {
  projects: GuildProjects;
  config: BotConfig;
}

export interface BotOptions extends BotSettings, Partial<Clock> {
  token: string;
  pictures: Pictures;
  /** Null: the bot reads a service elsewhere. It gives no roles, and does not know who is hidden. */
  records: BotRecords | null;
  /** Small state, such as message ids and player links. It is set to throw on failure, so that a failure is not read as "absent". */
  keyv: Keyv;
  /**
   * Whether this process has the bot: one that was suspended may have lost it to another, which answers. Default: it has.
   */
  mayAnswer?: () => boolean;
  log: Logger;
  /** Discord's REST API, ending in `/api`. Default: Discord's own. */
  apiUrl?: string | undefined;
  timing?: Partial<BotTiming>;
  /** Called when Discord refuses the bot, at the start or later. */
  onRefused?: () => void;
}

/** What the parts of a running bot share. */
export interface BotContext
  extends Clock, BotTiming, Pick<BotOptions, 'pictures' | 'records' | 'keyv' | 'log'> {
  gateway: Gateway;
  rest: REST;
  homes: HomeGuilds;
  /** Read at each use: they may change. */
  settings: () => BotSettings;
}
