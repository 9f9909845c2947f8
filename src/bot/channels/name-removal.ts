import type { Logger } from 'pino';
import { limitConcurrency } from '../../process/concurrency-limit.ts';
import type { BotRecords, MessageLedger, NamingMessage } from '../bot-records.ts';
import { cachedMs, deleteAgainMs, unlistedPollMs } from '../limits.ts';
import { loggable } from '../loggable.ts';
import { failureOf } from './refusal.ts';
import type { Sender } from './sender.ts';

interface RemovalOptions {
  records: BotRecords | null;
  sender: Sender;
  /** Ends requests. */
  signal: AbortSignal;
  log: Logger;
}

/**
 * Deletes messages that name a player who was hidden or forgotten since, the newest first: somebody may be reading them. It
 * finds them in the ledger. An answer that only one member sees is in no ledger, and is left alone.
 */
export class NameRemoval {
  readonly #options: RemovalOptions;
  readonly #ledger: MessageLedger | undefined;
  readonly #inTurn = limitConcurrency(1);
  #again: NodeJS.Timeout | undefined;
  #isFailing = false;

  constructor(options: RemovalOptions) {
    this.#options = options;
    this.#ledger = options.records?.ledger;
  }

  /** Remembers a message that was sent. Its player may have been hidden while it was. @throws when it cannot be stored */
  async add(message: NamingMessage): Promise<void> {
    if ((await this.#ledger?.add(message)) === 'outdated') void this.run();
  }

  /** Deletes what is outdated, after a running call. Never rejects. */
  async run(): Promise<void> {
    clearTimeout(this.#again);
    await this.#inTurn.run(() => this.#deleteAll());
  }

  /** Starts nothing new. Resolves when what runs has ended. */
  async stop(): Promise<void> {
    clearTimeout(this.#again);
    await this.#inTurn.run(async () => clearTimeout(this.#again));
  }

  async #deleteAll(): Promise<void> {
    const { log, signal } = this.#options;
    if (this.#ledger === undefined || signal.aborted) return;
    try {
      await this.#deletePages(this.#ledger);
      this.#isFailing = false;
    } catch (error) {
      if (signal.aborted) return;
      const text = 'could not delete messages of players who were hidden or forgotten; the bot tries again';
      if (!this.#isFailing) log.warn({ error: loggable(error) }, text);
      this.#isFailing = true;
      this.#again = setTimeout(() => void this.run(), deleteAgainMs).unref();
    }
  }

  /** Deletes a page of messages at a time. @throws where some could not be deleted now; all were tried */
  async #deletePages(ledger: MessageLedger, before: string | null = null): Promise<void> {
    const messages = await ledger.outdated(before);
    const last = messages.at(-1);
    if (last === undefined || this.#options.signal.aborted) return;
    // At once, so that a channel that takes long delays no other.
    const outcomes = await Promise.allSettled(messages.map((message) => this.#delete(message, ledger)));
    await this.#deletePages(ledger, last.messageId);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  /** @throws where another attempt may succeed */
  async #delete(
    { channelId, messageId }: Pick<NamingMessage, 'channelId' | 'messageId'>,
    ledger: MessageLedger,
  ): Promise<void> {
    const { sender, log } = this.#options;
    await sender.delete(channelId, messageId).catch((error: unknown) => {
      if (failureOf(error) !== 'refused') throw error;
      // The bot has lost the channel. Another attempt would fail as well.
      const text =
        'a message names a player who was hidden or forgotten, and cannot be deleted; delete it if it is still there';
      log.warn({ error: loggable(error), channelId, messageId }, text);
    });
    await ledger.remove(messageId);
  }
}

/**
 * Calls `onChange` after players were hidden, shown or forgotten: at once, and again when no earlier answer is cached any
 * more. Returns a function that stops it.
 */
export function onUnlistedChange(records: BotRecords | null, onChange: () => void): () => void {
  if (records === null) return () => undefined;
  let known = records.unlistedRevision();
  let again: NodeJS.Timeout | undefined;
  const timer = setInterval(() => {
    const current = records.unlistedRevision();
    if (current === known) return;
    known = current;
    onChange();
    clearTimeout(again);
    again = setTimeout(onChange, cachedMs);
  }, unlistedPollMs);
  return () => {
    clearInterval(timer);
    clearTimeout(again);
  };
}
