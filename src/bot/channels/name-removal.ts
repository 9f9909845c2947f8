import { limitConcurrency } from '../../process/concurrency-limit.ts';
import type { BotRecords, MessageLedger, NamingMessage } from '../bot-records.ts';
import { loggable } from '../loggable.ts';
import type { JobOptions } from './background-options.ts';
import { failureOf } from './pause.ts';
import { Sender } from './sender.ts';
import { cachedMs, deleteAgainMs, rightsPollMs } from './timing.ts';

/**
 * Deletes messages that name a player who was hidden or forgotten since, the newest first: somebody may be reading them. It
 * finds them in the ledger. An answer that only one member sees is in no ledger, and is left alone.
 */
export class NameRemoval {
  readonly #options: JobOptions;
  readonly #ledger: MessageLedger | undefined;
  readonly #inTurn = limitConcurrency(1);
  #again: NodeJS.Timeout | undefined;
  #isFailing = false;

  constructor(options: JobOptions) {
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
    await this.#inTurn.run(() => this.#runOnce());
  }

  /** Starts nothing new. Resolves when what runs has ended. */
  async stop(): Promise<void> {
    clearTimeout(this.#again);
    await this.#inTurn.run(async () => clearTimeout(this.#again));
  }

  async #runOnce(): Promise<void> {
    const { log, signal } = this.#options;
    if (this.#ledger === undefined || signal.aborted) return;
    const failures: unknown[] = [];
    try {
      for (let before: string | null = null; !signal.aborted;) {
        const messages = await this.#ledger.outdated(before);
        const last = messages.at(-1);
        if (last === undefined) break;
        // At once, so that a channel that takes long delays no other.
        const outcomes = await Promise.allSettled(messages.map((message) => this.#delete(message)));
        failures.push(
          ...outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : [])),
        );
        before = last.messageId;
      }
    } catch (error) {
      failures.push(error);
    }
    if (signal.aborted) return;
    const [error] = failures;
    if (error !== undefined && !this.#isFailing) {
      const text = 'could not delete messages of players who were hidden or forgotten; the bot tries again';
      log.warn({ error: loggable(error) }, text);
    }
    this.#isFailing = error !== undefined;
    if (error !== undefined) this.#again = setTimeout(() => void this.run(), deleteAgainMs).unref();
  }

  /** @throws where another attempt may succeed */
  async #delete({ channelId, messageId }: Pick<NamingMessage, 'channelId' | 'messageId'>): Promise<void> {
    const log = this.#options.log.child({ channelId });
    const sender = new Sender({ ...this.#options, channelId, name: 'ledger', log });
    await sender.delete(messageId).catch((error: unknown) => {
      if (failureOf(error) !== 'refused') throw error;
      // The bot has lost the channel. Another attempt would fail as well.
      const text =
        'a message names a player who was hidden or forgotten, and cannot be deleted; delete it if it is still there';
      log.warn({ error: loggable(error), messageId }, text);
    });
    await this.#ledger?.remove(messageId);
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
  }, rightsPollMs);
  return () => {
    clearInterval(timer);
    clearTimeout(again);
  };
}
