import { fit } from '../../embeds/limits.ts';
import { languageOf } from '../../locales/language.ts';
import { limitConcurrency } from '../../process/concurrency-limit.ts';
import { loggable } from '../loggable.ts';
import type { JobOptions } from './background-options.ts';
import type { KeptMessage, KeptMessages, MessageKind } from './kept-messages.ts';
import { Sender } from './sender.ts';

type NamedPlayersOptions<Message extends KeptMessage> = JobOptions & { messages: KeptMessages<Message> };

const tryAgainMs = 10_000;

/**
 * Takes the names of players who were hidden or forgotten out of messages that everyone sees. Those are the bot's own, so it
 * may edit them at any time; an answer that only one member sees can be edited for 15 minutes, and is left alone.
 */
export class NamedPlayers<Message extends KeptMessage> {
  readonly #kind: MessageKind<Message>;
  readonly #options: NamedPlayersOptions<Message>;
  readonly #inTurn = limitConcurrency(1);
  #again: NodeJS.Timeout | undefined;

  constructor(kind: MessageKind<Message>, options: NamedPlayersOptions<Message>) {
    this.#kind = kind;
    this.#options = options;
  }

  /** Remembers a message that was sent. Its player may have been forgotten while it was. */
  async add(message: Message): Promise<void> {
    await this.#options.messages.add(message);
    if (await this.#isGone(message)) void this.run();
  }

  /** Looks at each message once more, after a running call. Never rejects. */
  async run(): Promise<void> {
    clearTimeout(this.#again);
    await this.#inTurn.run(() => this.#runOnce());
  }

  async stop(): Promise<void> {
    clearTimeout(this.#again);
    await this.#inTurn.run(async () => undefined);
  }

  async #runOnce(): Promise<void> {
    const { messages, log, signal } = this.#options;
    try {
      // The newest first: somebody may be reading them.
      for (const message of (await messages.list()).toReversed()) {
        if (signal.aborted) return;
        if (await this.#isGone(message)) await this.#remove(message);
      }
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ error: loggable(error) }, this.#kind.failed);
      this.#again = setTimeout(() => void this.run(), tryAgainMs);
    }
  }

  async #isGone(message: Message): Promise<boolean> {
    const project = this.#options.projectOf(message.guildId);
    // The guild shows no project, so it is not known who is hidden.
    return project === null || (await this.#kind.isGone(message, project));
  }

  async #remove({ channelId, messageId, locale }: Message): Promise<void> {
    const { name, failed, what, goneEmbed } = this.#kind;
    const log = this.#options.log.child({ channelId });
    const sender = new Sender({ ...this.#options, channelId, name, failed, log });
    await sender.turn('rewording');
    await sender.reword(messageId, { embeds: fit([goneEmbed(languageOf(locale))]) }, what);
    await this.#options.messages.remove(messageId);
  }
}
