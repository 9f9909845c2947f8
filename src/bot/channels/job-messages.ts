import { createHash } from 'node:crypto';
import { RESTJSONErrorCodes as ErrorCodes, type APIEmbed } from 'discord.js';
import type { BotContext } from '../bot-options.ts';
import type { NamingMessage } from '../bot-records.ts';
import { discordCode } from '../discord-error.ts';
import { nonceTrustMs } from '../limits.ts';
import { loggable } from '../loggable.ts';
import type { GuildContexts } from './guild-contexts.ts';
import type { EndMessage, JobConfig, KeptContent, Message, Next, OnceMessage } from './job.ts';
import type { NameRemoval } from './name-removal.ts';
import type { Pause } from './pause.ts';
import { channelRefusal, failureOf } from './refusal.ts';
import { nonceOf, type Sender } from './sender.ts';
import type { ServerReader } from './server-reader.ts';

/** What is stored of a job. */
interface JobRecord {
  /** The kind's own. Left out: it has none yet. */
  state?: unknown;
  /** The message that is kept up to date, and a hash of what it shows. */
  kept: { messageId: string; digest: string } | null;
  /** The standing messages' ids on Discord, by the ids that the kind gave them. */
  standing: Readonly<Record<string, string>>;
  /** The message that is being sent, stored before each attempt. */
  inDoubt: InDoubt | null;
}

interface InDoubt {
  id: string;
  event: number;
  /** The time of the first attempt, epoch milliseconds. */
  since: number;
  /** Whom any attempt named: one of them may be hidden or forgotten by now, and the first attempt be the one that arrived. */
  players: readonly number[];
}

/** What all jobs share. */
export interface SharedByJobs extends BotContext {
  contexts: GuildContexts;
  servers: ServerReader;
  sender: Sender;
  removal: NameRemoval;
  /** Ends requests. */
  signal: AbortSignal;
}

interface MessagesOptions extends SharedByJobs {
  config: JobConfig;
  /** For log lines. */
  name: string;
  pause: Pause;
}

/**
 * The messages of one job, and its record. One message may be kept up to date. A message that is sent once goes through these
 * states:
 *
 * - new: nothing of it is stored.
 * - in doubt: stored with the time of the first attempt, which goes out next. It is in doubt until Discord answers. Each attempt
 *   has the same nonce, so Discord posts it once.
 * - sent: it is in the ledger if it names players, and the state after it is stored.
 * - left out: Discord refused what it says, or gave no answer for three minutes. The state after it is stored.
 *
 * Where Discord refuses the channel, or does not take the message now, it is new again, and the job pauses. All methods that write
 * throw the client's errors, and those of the store.
 */
export class JobMessages {
  readonly #options: MessagesOptions;
  /** It says what the channel shows, even where it could not be stored. */
  #record: JobRecord = { kept: null, standing: {}, inDoubt: null };
  /** The record as it is stored. Null: not read yet. */
  #stored: string | null = null;
  /** When the kept message was last seen in the channel, by the monotonic clock. */
  #seenAt = -Infinity;
  /** A kept message that was deleted, and not made again yet. */
  #goneId: string | null = null;
  /** A message that was sent, and is not in the ledger yet. */
  #unlisted: NamingMessage | null = null;

  constructor(options: MessagesOptions) {
    this.#options = options;
  }

  get state(): unknown {
    return this.#record.state;
  }

  get inDoubt(): InDoubt | null {
    return this.#record.inDoubt;
  }

  /** The kept message; null: there is none, or it may be gone. */
  get shownId(): string | null {
    return this.#seenAt === -Infinity ? null : this.#keptId;
  }

  get #keptId(): string | null {
    return this.#record.kept?.messageId ?? null;
  }

  /** Reads the record, once. */
  async read(): Promise<void> {
    if (this.#stored !== null) return;
    const { keyv, config } = this.#options;
    const stored = await keyv.get<JobRecord>(config.key);
    this.#record = { ...this.#record, ...stored };
    this.#stored = JSON.stringify(stored ?? this.#record);
  }

  /** Stores what has changed, and this, which does not count where that fails. */
  async save(changed: Partial<JobRecord> = {}): Promise<void> {
    const { keyv, config } = this.#options;
    const next = { ...this.#record, ...changed };
    const text = JSON.stringify(next);
    if (text !== this.#stored) {
      // Without an error listener, Keyv may return false instead of throwing.
      if (!(await keyv.set(config.key, next))) throw new Error('the state was not written');
      this.#stored = text;
    }
    this.#record = next;
  }

  /**
   * Edits the kept message if its content changed or a heartbeat is due, and makes it where there is none. Stores nothing.
   * @param state after it; left out: as before
   */
  async show({ draw, ...content }: KeptContent, state = this.state): Promise<void> {
    const { now, monotonic, heartbeatMs, pause } = this.#options;
    const digest = digestOf(content.embed, now());
    const isFresh = monotonic() - this.#seenAt < heartbeatMs;
    if (this.#record.kept?.digest !== digest || !isFresh) {
      const message: Message = { ...content, picture: (await draw?.()) ?? null };
      const messageId = (await this.#editKept(message)) ?? (await this.#makeKept(message));
      pause.end();
      this.#seenAt = monotonic();
      this.#change({ kept: { messageId, digest } });
    }
    this.#change({ state });
  }

  /** Shows this where there is a kept message. */
  async showInstead(embed: APIEmbed): Promise<void> {
    if (this.#keptId !== null) await this.show({ embed });
  }

  async deleteKept(): Promise<void> {
    const { config, sender } = this.#options;
    if (this.#keptId === null) return;
    await sender.delete(config.channelId, this.#keptId);
    this.#seenAt = -Infinity;
    await this.save({ kept: null });
  }

  /** Messages were deleted. @returns whether the kept one is newly among them */
  noticeDeleted(messageIds: readonly string[]): boolean {
    const id = this.#keptId;
    if (id === null || id === this.#goneId || !messageIds.includes(id)) return false;
    this.#goneId = id;
    this.#seenAt = -Infinity;
    return true;
  }

  /** The kept message may be gone. The next `show` edits it, or makes it again. */
  markUnverified(): void {
    this.#seenAt = -Infinity;
  }

  async send(message: OnceMessage, { state, unsent = this.state }: Next<unknown>): Promise<void> {
    const { config, now, log, name } = this.#options;
    const { id, event, players = [], forModerators = false } = message;
    const { channelId } = config;
    const doubt = this.inDoubt?.id === id && this.inDoubt.event === event ? this.inDoubt : null;
    const named = [...new Set([...(doubt?.players ?? []), ...players])];
    let messageId: string | null = null;
    if (doubt !== null && now() - doubt.since > nonceTrustMs)
      log.warn(`${name}: Discord gave no answer for a message; it may have arrived, so it is not sent again`);
    else {
      const inDoubt = { id, event, since: doubt?.since ?? now(), players: named };
      await this.save({ state: unsent, inDoubt });
      messageId = await this.#attempt(message, doubt === null);
    }
    if (messageId !== null && named.length > 0)
      this.#unlisted = { channelId, messageId, players: named, forModerators };
    if (messageId !== null && message.as === 'standing')
      this.#change({ standing: { ...this.#record.standing, [id]: messageId } });
    this.#change({ state, inDoubt: null });
    await this.storeSent();
  }

  /** Edits a standing message a last time, if it is still there. */
  async end(message: EndMessage, { state, unsent = this.state }: Next<unknown>): Promise<void> {
    const { config, name, sender } = this.#options;
    const { [message.id]: messageId, ...standing } = this.#record.standing;
    const edit = async (): Promise<void> => {
      if (messageId === undefined) return;
      await sender.edit(config.channelId, messageId, message).catch((error: unknown) => {
        if (discordCode(error) !== ErrorCodes.UnknownMessage) throw error;
      });
    };
    try {
      await this.#unlessRefused(edit, `${name}: could not edit a message that is over`);
    } catch (error) {
      await this.save({ state: unsent });
      throw error;
    }
    this.#change({ state, standing });
    await this.storeSent();
  }

  /** Stores what was sent: first the message in the ledger, then the state after it. */
  async storeSent(): Promise<void> {
    if (this.#unlisted !== null) await this.#options.removal.add(this.#unlisted);
    this.#unlisted = null;
    await this.save();
  }

  #change(changed: Partial<JobRecord>): void {
    this.#record = { ...this.#record, ...changed };
  }

  /** @returns the message's id; null: it is left out */
  async #attempt(message: OnceMessage, isFirst: boolean): Promise<string | null> {
    const { config, name, sender } = this.#options;
    const nonce = nonceOf(config.key, message.id, message.event);
    try {
      const create = async (): Promise<string> => await sender.create(config.channelId, message, nonce);
      return await this.#unlessRefused(create, `Discord refused a message of the ${name}; it is left out`);
    } catch (error) {
      // This attempt did not arrive. An earlier one may have.
      if (failureOf(error) !== 'unknown' && isFirst) await this.save({ inDoubt: null });
      throw error;
    }
  }

  /** Null: Discord refused what the message says, which is logged. */
  async #unlessRefused<T>(write: () => Promise<T>, problem: string): Promise<T | null> {
    const { pause, log } = this.#options;
    try {
      const written = await write();
      pause.end();
      return written;
    } catch (error) {
      if (failureOf(error) !== 'refused' || channelRefusal(error) !== null) throw error;
      log.warn({ error: loggable(error) }, problem);
      return null;
    }
  }

  /** @returns the message's id; null: there is none to edit */
  async #editKept(message: Message): Promise<string | null> {
    const { config, name, sender, log } = this.#options;
    const messageId = this.#keptId;
    if (messageId === null || messageId === this.#goneId) return null;
    try {
      await sender.edit(config.channelId, messageId, message);
      return messageId;
    } catch (error) {
      const code = discordCode(error);
      if (code !== ErrorCodes.UnknownMessage && code !== ErrorCodes.CannotEditMessageAuthoredByAnotherUser)
        throw error;
      const why = code === ErrorCodes.UnknownMessage ? 'was deleted' : 'belongs to another bot';
      log.info(`${name}: its message ${why}; posting it again`);
      this.#goneId = messageId;
      return null;
    }
  }

  async #makeKept(message: Message): Promise<string> {
    const { config, sender } = this.#options;
    // It is the same for another attempt, and for the next process, if this one ends before it has stored the message's id.
    const nonce = nonceOf(config.key, this.#keptId ?? '');
    const messageId = await sender.create(config.channelId, message, nonce);
    this.#goneId = null;
    return messageId;
  }
}

const relativeTime = /<t:(\d+):R>/g;

/**
 * A hash of an embed that ignores relative times in the past: Discord updates these on screen by itself, so they need no edit.
 * Times in the future, such as the next restart, count.
 */
function digestOf(embed: APIEmbed, now: number): string {
  const text = JSON.stringify(embed).replace(relativeTime, (whole, seconds: string) =>
    Number(seconds) * 1000 <= now ? '<age>' : whole,
  );
  return createHash('sha256').update(text).digest('base64url');
}
