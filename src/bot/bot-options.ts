import type { REST } from '@discordjs/rest';
import type { Keyv } from 'keyv';
import type { Logger } from 'pino';
import type { Pictures } from '../commands/interfaces/community.ts';
import type { DiscordConfig } from '../config/schema/discord.ts';
import type { Clock } from '../process/clock.ts';
import type { BotRecords } from './bot-records.ts';
import type { Gateway } from './gateway/gateway.ts';
import type { HomeGuilds } from './home-guilds.ts';
import type { BotTiming } from './limits.ts';
import type { GuildProjects } from './shown-project.ts';

/** What can change while the bot runs. */
export interface BotSettings {
  projects: GuildProjects;
  config: DiscordConfig;
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
