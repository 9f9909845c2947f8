import type { BotContext } from '../bot-options.ts';
import type { BotRecords, MessageLedger, NamingMessage } from '../bot-records.ts';
import { limitConcurrency } from '../../process/concurrency-limit.ts';
import { cachedMs, deleteAgainMs, unlistedPollMs } from '../limits.ts';
import { loggable } from '../loggable.ts';
import { failureOf } from './refusal.ts';
import type { Sender } from './sender.ts';

export type NameRemoval = ReturnType<typeof createNameRemoval>;

/**
 * Deletes messages that name a player who was hidden or forgotten since, the newest first: somebody may be reading them. It
 * finds them in the ledger. An answer that only one member sees is in no ledger, and is left alone.
 * @param signal ends requests
 */
export function createNameRemoval(
  { records, log }: Pick<BotContext, 'records' | 'log'>,
  sender: Sender,
  signal: AbortSignal,
) {
  const ledger = records?.ledger;
  const inTurn = limitConcurrency(1);
  let again: NodeJS.Timeout | undefined;
  let isFailing = false;

  /** Deletes what is outdated, after a running call. Never rejects. */
  async function run(): Promise<void> {
    clearTimeout(again);
    await inTurn.run(deleteAll);
  }

  async function deleteAll(): Promise<void> {
    if (ledger === undefined || signal.aborted) return;
    try {
      await deletePages(ledger);
      isFailing = false;
    } catch (error) {
      if (signal.aborted) return;
      const text = 'could not delete messages of players who were hidden or forgotten; the bot tries again';
      if (!isFailing) log.warn({ error: loggable(error) }, text);
      isFailing = true;
      again = setTimeout(() => void run(), deleteAgainMs).unref();
    }
  }

  /** Deletes a page of messages at a time. @throws where some could not be deleted now; all were tried */
  async function deletePages(from: MessageLedger, before: string | null = null): Promise<void> {
    const messages = await from.outdated(before);
    const last = messages.at(-1);
    if (last === undefined || signal.aborted) return;
    // At once, so that a channel that takes long delays no other.
    const outcomes = await Promise.allSettled(messages.map((message) => deleteOne(message, from)));
    await deletePages(from, last.messageId);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  /** @throws where another attempt may succeed */
  async function deleteOne(
    { channelId, messageId }: Pick<NamingMessage, 'channelId' | 'messageId'>,
    from: MessageLedger,
  ): Promise<void> {
    await sender.delete(channelId, messageId).catch((error: unknown) => {
      if (failureOf(error) !== 'refused') throw error;
      // The bot has lost the channel. Another attempt would fail as well.
      const text =
        'a message names a player who was hidden or forgotten, and cannot be deleted; delete it if it is still there';
      log.warn({ error: loggable(error), channelId, messageId }, text);
    });
    await from.remove(messageId);
  }

  return {
    run,
    /** Remembers a message that was sent. Its player may have been hidden while it was. @throws when it cannot be stored */
    async add(message: NamingMessage): Promise<void> {
      if ((await ledger?.add(message)) === 'outdated') void run();
    },
    /** Starts nothing new. Resolves when what runs has ended. */
    async stop(): Promise<void> {
      clearTimeout(again);
      await inTurn.run(async () => clearTimeout(again));
    },
  };
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
