import { ServiceError } from '../../../api/client-types.ts';
import { parseIdentifier } from '../../../api/identifiers.ts';
import { goneCardEmbed } from '../../../embeds/failure.ts';
import { fit } from '../../../embeds/limits.ts';
import { languageOf } from '../../../locales/language.ts';
import { limitConcurrency } from '../../../process/concurrency-limit.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { loggable } from '../../loggable.ts';
import type { BotProject } from '../../shown-project.ts';
import { Sender, type SenderOptions } from '../sender.ts';
import type { CardMessage, CardRecords } from './card-records.ts';

export interface CardMessagesOptions extends SenderOptions {
  records: CardRecords;
  gateway: Pick<Gateway, 'serves'>;
  projectOf: (guildId: string | null) => BotProject | null;
}

const tryAgainMs = 10_000;
const failed = 'could not remove player cards; the bot tries again';

/**
 * Removes the cards of players who were hidden or forgotten from messages that everyone sees. Those are the bot's own, so it
 * may edit them at any time; an answer that only one member sees can be edited for 15 minutes, and is left alone.
 */
export class CardMessages {
  readonly #options: CardMessagesOptions;
  readonly #inTurn = limitConcurrency(1);
  #again: NodeJS.Timeout | undefined;

  constructor(options: CardMessagesOptions) {
    this.#options = options;
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
    const { records, gateway, log, signal } = this.#options;
    try {
      const here = (await records.list()).filter(({ guildId }) => gateway.serves(guildId));
      // The newest first: somebody may be reading them.
      for (const message of here.toReversed()) {
        if (signal.aborted) return;
        if (await this.#isGone(message)) await this.#remove(message);
      }
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ error: loggable(error) }, failed);
      this.#again = setTimeout(() => void this.run(), tryAgainMs);
    }
  }

  /** Whether members may not see the player any more. */
  async #isGone({ guildId, cardOf }: CardMessage): Promise<boolean> {
    const project = this.#options.projectOf(guildId);
    // The guild shows no project, so it is not known who is hidden.
    if (project === null) return true;
    if (parseIdentifier(cardOf) === null) return (await project.ports.players?.get(cardOf)) === null;
    try {
      await project.client.getPlayer({ identifier: cardOf });
      return false;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'not_found') return true;
      throw error;
    }
  }

  async #remove({ channelId, messageId, locale }: CardMessage): Promise<void> {
    const log = this.#options.log.child({ channelId });
    const sender = new Sender({ ...this.#options, channelId, name: 'player card', failed, log });
    await sender.turn('rewording');
    const embeds = fit([goneCardEmbed(languageOf(locale))]);
    await sender.reword(messageId, { embeds }, 'a message shows the card of');
    await this.#options.records.remove(messageId);
  }
}
