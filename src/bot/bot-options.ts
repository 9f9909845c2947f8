import type { Keyv } from 'keyv';
import type { Logger } from 'pino';
import type { Pictures } from '../commands/ports/community.ts';
import type { Clock } from '../process/clock.ts';
import type { BotRecords } from './bot-records.ts';
import type { BackgroundConfig } from './channels/background-options.ts';
import type { BackgroundTiming } from './channels/timing.ts';
import type { AnswerSettings, DispatchOptions } from './answers/dispatch.ts';
import type { GuildProjects } from './shown-project.ts';

export interface BotConfig extends AnswerSettings, BackgroundConfig {
  /** Commands only in these guilds; empty: everywhere. */
  guildIds: readonly string[];
  /** Whether the process keeps serving after Discord refused the bot. Default true. */
  keepServing?: boolean | undefined;
}

/** What can change while the bot runs. */
export interface BotSettings {
  projects: GuildProjects;
  config: BotConfig;
}

export interface BotOptions extends BotSettings {
  token: string;
  pictures: Pictures;
  /** Null: the bot reads a service elsewhere. It gives no roles, and does not know who is hidden. */
  records: BotRecords | null;
  /** Small state, such as message ids and player links. It is set to throw on failure, so that a failure is not read as "absent". */
  keyv: Keyv;
  /**
   * Whether this process has the bot: one that was suspended may have lost it to another, which answers. Default: it has.
   */
  mayAnswer?: (() => boolean) | undefined;
  log: Logger;
  /** Discord's REST API, ending in `/api`. Default: Discord's own. */
  apiUrl?: string | undefined;
  now?: Clock['now'] | undefined;
  monotonic?: Clock['monotonic'] | undefined;
  timing?: BotTiming | undefined;
  /** Called when Discord refuses the bot, at the start or later. */
  onRefused?: (() => void) | undefined;
}

/** All in milliseconds. The defaults fit Discord's limits. */
export interface BotTiming
  extends
    Pick<
      DispatchOptions,
      'deferAfterMs' | 'answerWithinMs' | 'completeWithinMs' | 'memberRate' | 'completionRate' | 'queueBounds'
    >,
    BackgroundTiming {
  /** First delay before another login. It doubles up to two minutes. */
  reconnectMs?: number | undefined;
  /** First delay before registering the commands again. It doubles up to five minutes. */
  registerRetryMs?: number | undefined;
  /** How long a session lasts until its login counts as a good one. Default: 10 minutes. */
  sessionLastsMs?: number | undefined;
  /** How long a stop waits for work in flight. Default: 3 s. */
  settleMs?: number | undefined;
}
