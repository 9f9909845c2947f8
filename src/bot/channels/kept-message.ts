import { createHash } from 'node:crypto';
import { RESTJSONErrorCodes as ErrorCodes, type APIEmbed } from 'discord.js';
import { discordCode } from '../discord-error.ts';
import type { JobParts } from './job-parts.ts';
import type { KeptContent, Message } from './job.ts';
import { nonceOf } from './sender.ts';

/** The message of a job that keeps one up to date. All methods that write throw the client's errors. */
export class KeptMessage {
  readonly #parts: JobParts;
  /** When it was last seen in the channel, by the monotonic clock. */
  #seenAt = -Infinity;
  /** A message that was deleted, and not made again yet. */
  #goneId: string | null = null;

  constructor(parts: JobParts) {
    this.#parts = parts;
  }

  /** Null: there is none, or it may be gone. */
  get shownId(): string | null {
    return this.#seenAt === -Infinity ? null : this.#storedId();
  }

  /** Edits the message if its content changed or a heartbeat is due, and makes it where there is none. */
  async show({ draw, ...content }: KeptContent): Promise<void> {
    const { now, monotonic, heartbeatMs, record, pause } = this.#parts;
    const digest = digestOf(content.embed, now());
    const isFresh = monotonic() - this.#seenAt < heartbeatMs;
    if (record.value.kept?.digest === digest && isFresh) return;
    const message: Message = { ...content, picture: (await draw?.()) ?? null };
    const messageId = (await this.#edit(message)) ?? (await this.#make(message));
    pause.end();
    this.#seenAt = monotonic();
    record.change({ kept: { messageId, digest } });
  }

  /** Shows this where there is a message. */
  async showInstead(embed: APIEmbed): Promise<void> {
    if (this.#storedId() !== null) await this.show({ embed });
  }

  async delete(): Promise<void> {
    const { config, sender, record } = this.#parts;
    const messageId = this.#storedId();
    if (messageId === null) return;
    await sender.delete(config.channelId, messageId);
    this.#seenAt = -Infinity;
    await record.save({ kept: null });
  }

  /** Messages were deleted. @returns whether it is newly among them */
  noticeDeleted(messageIds: readonly string[]): boolean {
    const id = this.#storedId();
    if (id === null || id === this.#goneId || !messageIds.includes(id)) return false;
    this.#goneId = id;
    this.#seenAt = -Infinity;
    return true;
  }

  /** It may be gone. The next `show` edits it, or makes it again. */
  markUnverified(): void {
    this.#seenAt = -Infinity;
  }

  #storedId(): string | null {
    return this.#parts.record.value.kept?.messageId ?? null;
  }

  /** @returns the message's id; null: there is none to edit */
  async #edit(message: Message): Promise<string | null> {
    const { config, name, sender, log } = this.#parts;
    const messageId = this.#storedId();
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

  async #make(message: Message): Promise<string> {
    const { config, sender } = this.#parts;
    // It is the same for another attempt, and for the next process, if this one ends before it has stored the message's id.
    const nonce = nonceOf(config.key, this.#storedId() ?? '');
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
