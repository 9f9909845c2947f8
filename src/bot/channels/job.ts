import type { APIEmbed } from 'discord.js';
import type { Logger } from 'pino';
import type { Row } from '../../commands/command.ts';
import type { Picture, Pictures } from '../../commands/interfaces/community.ts';
import type { ChannelKind } from '../../config/schema/channel-jobs.ts';
import type { Language } from '../../locales/language.ts';
import type { ShownProject } from '../shown-project.ts';
import type { ServerReader } from './server-reader.ts';

/** What a job does. Alerts are two: about servers, and about players (`watch`). */
export type JobKind = ChannelKind | 'watch';

/** One job: a kind, a channel, and the options of that kind. */
export interface JobConfig {
  kind: JobKind;
  /** Its record is stored under this key. */
  key: string;
  channelId: string;
  /** Of a job that a member placed; left out: the config has it. */
  guildId?: string | undefined;
  /** Left out: the guild's. */
  locale?: string | undefined;
  options: unknown;
}

/** What a message in a channel shows. */
export interface Message {
  embed: APIEmbed;
  /** Link buttons. */
  links?: readonly Row[];
  /** Shown in the embed, if the bot may attach files. */
  picture?: Picture | null;
  /** Left out: the embed with its picture. `picture`: that alone, and wider. `text`: the embed's description without the embed. */
  shows?: 'picture' | 'text';
  /** The only one whom the message mentions. */
  roleId?: string | undefined;
}

/** What a kept message shows. */
export interface KeptContent extends Omit<Message, 'picture'> {
  /** Draws the picture, once it is known that the message is written: most runs find nothing new. Never rejects. */
  draw?: (() => Promise<Picture | null>) | undefined;
}

/** A message that is kept up to date: edited when it changed or a heartbeat is due, and made again when somebody deletes it. */
interface KeptMessage extends KeptContent {
  as: 'kept';
}

/** A message that is sent once. `standing`: it is remembered until it is ended. */
export interface OnceMessage extends Message {
  as: 'once' | 'standing';
  /** The same for all messages of a job about the same thing: `down:northwood-1`, `deaths`. */
  id: string;
  /** What the message is about. The same event is sent once, however often it is returned. */
  event: number;
  /** The store's ids of all whom it names. */
  players?: readonly number[];
  /** It names hidden players, too: only moderators read it. */
  forModerators?: boolean;
}

/** The last edit of a standing message, if that is still there. */
export interface EndMessage extends Message {
  as: 'end';
  id: string;
}

/** What a job does next. */
export interface Next<State> {
  /** Stored once the message is in the channel, or left out. */
  state: State;
  /** Null: there is none. After one that is sent once, or an end, the job is asked again. */
  message: KeptMessage | OnceMessage | EndMessage | null;
  /** Stored as long as the message is not in the channel. Left out: the state before. */
  unsent?: State | undefined;
  /** Without a message: it is not known now whether the one in doubt is still due, so it stays in doubt. */
  keepsDoubt?: boolean;
}

/** What a job takes from the guild of its channel. */
export interface GuildContext {
  language: Language;
  /** IANA zone of charts; left out: the server's. */
  timezone?: string | undefined;
  /** The project that the guild shows. */
  project: Pick<ShownProject, 'client' | 'community'>;
}

/** What a job knows when it is asked what comes next. */
export interface JobContext extends GuildContext {
  servers: ServerReader;
  pictures: Pictures;
  /**
   * The last attempt to send this message had no answer. The job returns it again, with the names as they may be shown by now,
   * unless nothing is left to say.
   */
  inDoubt: Pick<OnceMessage, 'id' | 'event'> | null;
  now: () => number;
  log: Logger;
  /** Logs a problem once under its id, until it is another one or resolved (null). */
  report(id: string, problem: string | null, details?: object, level?: 'debug' | 'warn'): void;
}

/**
 * One kind of job. For example, the schedule post:
 *
 * ```ts
 * const schedule: ChannelJob<KindOptions<'schedule'>, null> = {
 *   async next({ project, language }, { servers }) {
 *     const embed = scheduleEmbed(language, await readSchedules(project.community, servers));
 *     return { state: null, message: { as: 'kept', embed } };
 *   },
 * };
 * ```
 */
export interface ChannelJob<Options, State> {
  /**
   * How often it is asked what comes next, besides its start. Left out: at the moments of its option `cron`, in the zone of this
   * machine.
   */
  every?: 'checkEveryMs' | 'feedPollMs' | 'recapPollMs';
  /**
   * What the channel is to have now. It writes nothing, and reads only through `seen`.
   * @param state undefined: the job has none yet
   * @returns null: nothing changes, as while the service gives no answer
   */
  next(seen: JobContext, options: Options, state: State | undefined): Promise<Next<State> | null>;
  /** What a post shows where `next` throws, since the service cannot be read. Left out: it stays as it is. */
  unavailable?(seen: JobContext, state: State | undefined): Promise<KeptContent>;
}

/** Keeps the types of options and state inside a kind, so that a table can hold all of them. */
export type AnyJob = ChannelJob<unknown, unknown>;
