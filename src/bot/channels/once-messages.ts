import { RESTJSONErrorCodes as ErrorCodes } from 'discord.js';
import type { NamingMessage } from '../bot-records.ts';
import { discordCode } from '../discord-error.ts';
import { nonceTrustMs } from '../limits.ts';
import { loggable } from '../loggable.ts';
import type { JobParts } from './job-parts.ts';
import type { EndMessage, Next, OnceMessage } from './job.ts';
import { channelRefusal, failureOf } from './refusal.ts';
import { nonceOf } from './sender.ts';

/**
 * The messages of a job that are sent once. Each goes through these states:
 *
 * - new: nothing of it is stored.
 * - in doubt: stored with the time of the first attempt, which goes out next. It is in doubt until Discord answers. Each attempt
 *   has the same nonce, so Discord posts it once.
 * - sent: it is in the ledger if it names players, and the state after it is stored.
 * - left out: Discord refused what it says, or gave no answer for three minutes. The state after it is stored.
 *
 * Where Discord refuses the channel, or does not take the message now, it is new again, and the job pauses. All methods throw the
 * client's errors, and those of the store.
 */
export class OnceMessages {
  readonly #parts: JobParts;
  /** A message that was sent, and is not in the ledger yet. */
  #unlisted: NamingMessage | null = null;

  constructor(parts: JobParts) {
    this.#parts = parts;
  }

  async send(message: OnceMessage, { state, unsent }: Next<unknown>): Promise<void> {
    const { config, record, now, log, name } = this.#parts;
    const { id, event, players = [], forModerators = false } = message;
    const before = record.value.inDoubt;
    const doubt = before?.id === id && before.event === event ? before : null;
    const named = [...new Set([...(doubt?.players ?? []), ...players])];
    let messageId: string | null = null;
    if (doubt !== null && now() - doubt.since > nonceTrustMs)
      log.warn(`${name}: Discord gave no answer for a message; it may have arrived, so it is not sent again`);
    else {
      const inDoubt = { id, event, since: doubt?.since ?? now(), players: named };
      await record.save({ state: unsent ?? record.value.state, inDoubt });
      messageId = await this.#attempt(message, doubt === null);
    }
    const { channelId } = config;
    if (messageId !== null && named.length > 0)
      this.#unlisted = { channelId, messageId, players: named, forModerators };
    if (messageId !== null && message.as === 'standing')
      record.change({ standing: { ...record.value.standing, [id]: messageId } });
    record.change({ state, inDoubt: null });
    await this.store();
  }

  /** Edits a standing message a last time, if it is still there. */
  async end(message: EndMessage, { state, unsent }: Next<unknown>): Promise<void> {
    const { record } = this.#parts;
    const { [message.id]: messageId, ...standing } = record.value.standing;
    try {
      if (messageId !== undefined) await this.#edit(messageId, message);
    } catch (error) {
      await record.save({ state: unsent ?? record.value.state });
      throw error;
    }
    record.change({ state, standing });
    await this.store();
  }

  /** Stores what was sent: first the message in the ledger, then the state after it. */
  async store(): Promise<void> {
    const { removal, record } = this.#parts;
    if (this.#unlisted !== null) await removal.add(this.#unlisted);
    this.#unlisted = null;
    await record.save();
  }

  /** @returns the message's id; null: it is left out */
  async #attempt(message: OnceMessage, isFirst: boolean): Promise<string | null> {
    const { config, name, sender, record, pause, log } = this.#parts;
    const nonce = nonceOf(config.key, message.id, message.event);
    try {
      const messageId = await sender.create(config.channelId, message, nonce);
      pause.end();
      return messageId;
    } catch (error) {
      const failure = failureOf(error);
      // This attempt did not arrive. An earlier one may have.
      if (failure !== 'unknown' && isFirst) await record.save({ inDoubt: null });
      if (failure !== 'refused' || channelRefusal(error) !== null) throw error;
      log.warn({ error: loggable(error) }, `Discord refused a message of the ${name}; it is left out`);
      return null;
    }
  }

  async #edit(messageId: string, message: EndMessage): Promise<void> {
    const { config, name, sender, pause, log } = this.#parts;
    try {
      await sender.edit(config.channelId, messageId, message);
      pause.end();
    } catch (error) {
      if (discordCode(error) === ErrorCodes.UnknownMessage) return;
      if (failureOf(error) !== 'refused' || channelRefusal(error) !== null) throw error;
      log.warn({ error: loggable(error) }, `${name}: could not edit a message that is over`);
    }
  }
}
