import type { APIEmbed } from 'discord.js';
import type { Logger } from 'pino';
import type { Row } from '../../commands/command.ts';
import type { Picture, Pictures } from '../../commands/ports/community.ts';
import type { Language } from '../../locales/language.ts';
import type { ShownProject } from '../shown-project.ts';
import type { ServerReader } from './server-reader.ts';
import type { defaultTiming } from './timing.ts';

/** What a job does. */
export type JobKind = 'status' | 'leaderboard' | 'schedule' | 'alerts' | 'feed' | 'recap' | 'watch';

/** One job: a kind, a channel, and the options of that kind. */
export interface JobConfig<Options = unknown> {
  kind: JobKind;
  /** Its record is stored under this key. */
  key: string;
  channelId: string;
  /** Of a job that a member placed; left out: the config has it. */
  guildId?: string | undefined;
  /** Left out: the guild's. */
  locale?: string | undefined;
  options: Options;
}

/**
 * - `kept`: one message that is kept up to date. It is edited when its content changed or a heartbeat is due, and made again
 *   when somebody deletes it.
 * - `once`: sent once.
 * - `standing`: sent once, and remembered until an `end` with the same id.
 * - `end`: the last edit of a standing message, if that is still there.
 */
type Delivery = 'kept' | 'once' | 'standing' | 'end';

/** A message that a job wants in its channel. */
export interface Outgoing {
  /** Tells the messages of one job apart. */
  id: string;
  as: Delivery;
  /** What a message that is sent once is about. The same event is sent once, however often it is returned. */
  event?: string | number;
  embed: APIEmbed;
  /** Link buttons. */
  links?: readonly Row[];
  /** Shown in the embed, if the bot may attach files. */
  picture?: Picture | null;
  /** The only one whom the message mentions. */
  roleId?: string | undefined;
  /** The store's ids of all whom a message that is sent once names. */
  players?: readonly number[];
  /** It names hidden players, too: only moderators read it. */
  forModerators?: boolean;
}

/** What a job does next. */
export interface Next<State> {
  /** Stored once the messages are in the channel. */
  state: State;
  /** At most one that is sent once. The job is asked again after it. */
  messages: readonly Outgoing[];
  /** Stored where the messages could not be delivered. Left out: the state before. */
  unsent?: State;
  /** Stored where Discord takes the message never, or it is not known whether it did. Left out: `state`. */
  leftOut?: State;
}

/** What a job knows when it is asked what comes next. */
export interface JobContext {
  language: Language;
  /** IANA zone of charts; left out: the server's. */
  timezone?: string | undefined;
  /** The project that the guild shows. */
  project: Pick<ShownProject, 'client' | 'community'>;
  servers: ServerReader;
  pictures: Pictures;
  /**
   * The last attempt to send this message had no answer. The job returns it again, unless its state says that it is done, or
   * nothing is left to say.
   */
  inDoubt: Required<Pick<Outgoing, 'id' | 'event'>> | null;
  now: () => number;
  log: Logger;
  /** Logs a problem once, until it is another one or resolved (null). */
  problem(text: string | null, details?: object, level?: 'debug' | 'warn'): void;
  /** Logs a warning the first time that it is given under an id. */
  warnOnce(id: string, text: string): void;
}

type Timing = Readonly<typeof defaultTiming>;

/** When a job is asked what comes next, besides its start. The cron expression is in the zone of this machine. */
type When = { cron: string } | { everyMs: number };

/**
 * One kind of job. For example, the schedule post:
 *
 * ```ts
 * const schedule: ChannelJob<{ cron: string; servers: string[] }, null> = {
 *   kind: 'schedule',
 *   name: 'schedule post',
 *   keepsMessage: true,
 *   when: ({ cron }) => ({ cron }),
 *   needsStore: false,
 *   async next({ project, language }, { servers }) {
 *     const embed = scheduleEmbed(language, await readSchedules(project.community, servers));
 *     return { state: null, messages: [{ id: 'post', as: 'kept', embed }] };
 *   },
 * };
 * ```
 */
export interface ChannelJob<Options, State> {
  kind: JobKind;
  /** For log lines. */
  name: string;
  /** It has one message that stays in the channel: `/outpost posts` links to it. */
  keepsMessage: boolean;
  when(options: Options, timing: Timing): When;
  /** It is off while the bot reads a service elsewhere, which has no kills, recaps and arrivals. */
  needsStore: boolean;
  /**
   * What the channel is to have now. It writes nothing, and reads only through `seen`.
   * @param state undefined: the job has none yet
   * @returns null: nothing changes, as while the service gives no answer
   */
  next(seen: JobContext, options: Options, state: State | undefined): Promise<Next<State> | null>;
}

/** Keeps the types of options and state inside a kind, so that a table can hold all of them. */
export type AnyJob = ChannelJob<unknown, unknown>;

/** The event of a message about deaths or arrivals: the ids of the first and the last one. */
export const spanOf = (first: number, last: number): string => `${first}-${last}`;

export function readSpan(event: string | number): { first: number; last: number } {
  const [first = 0, last = 0] = String(event).split('-').map(Number);
  return { first, last };
}
