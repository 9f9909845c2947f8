import { createHash } from 'node:crypto';
import type { APIEmbed } from 'discord.js';
import type { Logger } from 'pino';
import { fit } from '../../embeds/limits.ts';
import { discordCode, discordErrors } from '../discord-error.ts';
import { loggable } from '../loggable.ts';
import type { JobConfig, Next, Outgoing } from './job.ts';
import type { StoredRecord } from './job-record.ts';
import type { NameRemoval } from './name-removal.ts';
import { channelRefusal, failureOf } from './pause.ts';
import { nonceOf, type Sender } from './sender.ts';
import { nonceTrustMs } from './timing.ts';

interface JobMessagesOptions {
  config: JobConfig;
  /** For log lines. */
  name: string;
  keepsMessage: boolean;
  sender: Sender;
  record: StoredRecord;
  removal: NameRemoval;
  now: () => number;
  monotonic: () => number;
  heartbeatMs: number;
  log: Logger;
}

/**
 * The messages of one job in its channel. One that is sent once goes through these states:
 *
 * - new: nothing of it is stored.
 * - in doubt: stored with the time of the first attempt, which goes out next. It is in doubt until Discord answers. Each attempt
 *   has the same nonce, so Discord posts it once.
 * - sent: it is in the ledger if it names players, and the state after it is stored.
 * - left out: Discord refused what it says, or gave no answer for three minutes. The state after it is stored.
 *
 * Where Discord refuses the channel, or does not take the message now, it is new again, and the job pauses. All methods that
 * write throw the client's errors.
 */
export class JobMessages {
  readonly #options: JobMessagesOptions;
  /** When each kept message was last seen in the channel, by the monotonic clock. */
  readonly #seenAt = new Map<string, number>();
  /** Kept messages that were deleted, and not made again yet. */
  readonly #gone = new Set<string>();
  /** A message that was sent and is not in the ledger yet. The store may be away for longer than Discord remembers a nonce. */
  #unlisted: { nonce: string; messageId: string } | null = null;

  constructor(options: JobMessagesOptions) {
    this.#options = options;
  }

  /** The kept message; null: there is none, or it may be gone. */
  get shownId(): string | null {
    const [id] = this.#keptIds();
    return id !== undefined && this.#seenAt.has(id) ? this.#options.record.value.sent[id]!.messageId : null;
  }

  /** @returns what became of a message that is sent once, or of an end; null: it is a kept one */
  async deliver(outgoing: Outgoing, next: Next<unknown>): Promise<'sent' | 'leftOut' | null> {
    const message = { ...outgoing, embed: fit([outgoing.embed])[0]! };
    if (message.as === 'kept') {
      await this.#keep(message);
      return null;
    }
    if (message.as !== 'end') return await this.#sendOnce(message, next);
    await this.#end(message);
    return 'sent';
  }

  /** Shows the same in all kept messages that there are. */
  async showInstead(embed: APIEmbed): Promise<void> {
    for (const id of this.#keptIds()) await this.#keep({ id, as: 'kept', embed });
    await this.#options.record.save();
  }

  /** Deletes the kept messages. */
  async withdraw(): Promise<void> {
    const { sender, record } = this.#options;
    for (const id of this.#keptIds()) {
      const { [id]: known, ...sent } = record.value.sent;
      await sender.delete(known!.messageId);
      this.#seenAt.delete(id);
      await record.save({ sent });
    }
  }

  /** Messages were deleted. @returns whether a kept one is among them */
  noticeDeleted(messageIds: readonly string[]): boolean {
    const { sent } = this.#options.record.value;
    const id = this.#keptIds().find((each) => messageIds.includes(sent[each]!.messageId));
    if (id === undefined || this.#gone.has(sent[id]!.messageId)) return false;
    this.#gone.add(sent[id]!.messageId);
    this.#seenAt.delete(id);
    return true;
  }

  /** Kept messages may be gone. They are edited, or made again, when they are delivered next. */
  markUnverified(): void {
    this.#seenAt.clear();
  }

  #keptIds(): string[] {
    return this.#options.keepsMessage ? Object.keys(this.#options.record.value.sent) : [];
  }

  async #keep(message: Outgoing): Promise<void> {
    const { now, monotonic, heartbeatMs, record } = this.#options;
    const { id } = message;
    const { sent } = record.value;
    const digest = digestOf(message.embed, now());
    const isFresh = monotonic() - (this.#seenAt.get(id) ?? -Infinity) < heartbeatMs;
    if (sent[id]?.digest === digest && isFresh) return;
    const messageId = await this.#show(message, sent[id]?.messageId);
    this.#seenAt.set(id, monotonic());
    record.change({ sent: { ...sent, [id]: { messageId, digest } } });
  }

  /** Edits a kept message, or makes it again if it is gone. @returns its id */
  async #show(message: Outgoing, messageId: string | undefined): Promise<string> {
    const { config, name, sender, log } = this.#options;
    // It is the same for another attempt, and for the next process, if this one ends before it has stored the message's id.
    const nonce = nonceOf(config.key, message.id, messageId ?? '');
    if (messageId === undefined) return await sender.create(message, nonce);
    if (!this.#gone.has(messageId)) {
      try {
        await sender.edit(messageId, message);
        return messageId;
      } catch (error) {
        const code = discordCode(error);
        if (code !== discordErrors.unknownMessage && code !== discordErrors.otherAuthor) throw error;
        const why = code === discordErrors.unknownMessage ? 'was deleted' : 'belongs to another bot';
        log.info(`${name}: its message ${why}; posting it again`);
        this.#gone.add(messageId);
      }
    }
    const made = await sender.create(message, nonce);
    this.#gone.delete(messageId);
    return made;
  }

  async #sendOnce(message: Outgoing, next: Next<unknown>): Promise<'sent' | 'leftOut'> {
    const { config, name, sender, record, removal, now, log } = this.#options;
    const { id, event = '', players = [], forModerators = false } = message;
    const before = record.value;
    const doubt = before.inDoubt?.id === id && before.inDoubt.event === event ? before.inDoubt : null;
    const nonce = nonceOf(config.key, id, event);
    const known = this.#unlisted?.nonce === nonce ? this.#unlisted.messageId : null;
    if (doubt !== null && known === null && now() - doubt.since > nonceTrustMs) {
      log.warn(`${name}: Discord gave no answer for a message; it may have arrived, so it is not sent again`);
      return 'leftOut';
    }
    const named = [...new Set([...(doubt?.players ?? []), ...players])];
    const inDoubt = { id, event, since: doubt?.since ?? now(), players: named };
    await record.save({ state: next.unsent ?? before.state, inDoubt });
    let messageId: string;
    try {
      messageId = known ?? (await sender.create(message, nonce));
    } catch (error) {
      const failure = failureOf(error);
      if (failure === 'unknown') throw error;
      // This attempt did not arrive. An earlier one may have.
      if (doubt === null) await record.save({ inDoubt: null });
      if (failure === 'notNow' || channelRefusal(error) !== null) throw error;
      log.warn({ error: loggable(error) }, `Discord refused a message of the ${name}; it is left out`);
      return 'leftOut';
    }
    const { channelId } = config;
    this.#unlisted = { nonce, messageId };
    if (named.length > 0) await removal.add({ channelId, messageId, players: named, forModerators });
    this.#unlisted = null;
    if (message.as === 'standing')
      record.change({ sent: { ...record.value.sent, [id]: { messageId, digest: '' } } });
    return 'sent';
  }

  /** Edits a standing message a last time, if it is still there. */
  async #end(message: Outgoing): Promise<void> {
    const { name, sender, record, log } = this.#options;
    const { [message.id]: known, ...sent } = record.value.sent;
    if (known === undefined) return;
    await sender.edit(known.messageId, message).catch((error: unknown) => {
      if (discordCode(error) === discordErrors.unknownMessage) return;
      if (failureOf(error) !== 'refused' || channelRefusal(error) !== null) throw error;
      log.warn({ error: loggable(error) }, `${name}: could not edit a message that is over`);
    });
    record.change({ sent });
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
