import { createHash } from 'node:crypto';
import type { REST } from '@discordjs/rest';
import { Routes, type APIMessage } from 'discord.js';
import { discordCode, discordErrors } from '../discord-error.ts';
import { notOfDiscord } from '../loggable.ts';
import { requestOf, type ChannelMessage } from './channel-message.ts';
import { EmbedsForbiddenError, Pause, type PauseOptions } from './pause.ts';

export interface SenderOptions extends PauseOptions {
  rest: REST;
  /** Ends requests. */
  signal: AbortSignal;
}

/** The same nonce for the same parts. Discord takes at most 25 characters, and remembers a nonce for a few minutes. */
export function nonceOf(...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 24);
}

/**
 * Writes the messages of one job. REST keeps to Discord's limits for a channel: it reads them from the headers of each answer,
 * and lets the requests of a channel wait for one another. All methods throw the client's errors.
 */
export class Sender {
  readonly pause: Pause;
  readonly #options: SenderOptions;
  /** Whether the last picture was left out. */
  #isBare = false;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.pause = new Pause(options);
  }

  /** Returns the message's id. While Discord remembers the nonce, a second attempt posts no second message. */
  async create(message: ChannelMessage, nonce: string): Promise<string> {
    const { rest, channelId, signal } = this.#options;
    return await this.#write(message, ({ body, files }) => {
      const unique = { ...body, nonce, enforce_nonce: true };
      return rest.post(Routes.channelMessages(channelId), { body: unique, files, signal });
    });
  }

  async edit(messageId: string, message: ChannelMessage): Promise<void> {
    const { rest, channelId, signal } = this.#options;
    const route = Routes.channelMessage(channelId, messageId);
    await this.#write(message, (request) =>
      this.#inOpenThread(() => rest.patch(route, { ...request, signal })),
    );
  }

  /** Deletes a message, if it is still there. */
  async delete(messageId: string): Promise<void> {
    const { rest, channelId, signal } = this.#options;
    const route = Routes.channelMessage(channelId, messageId);
    await this.#inOpenThread(() => rest.delete(route, { signal })).catch((error: unknown) => {
      if (discordCode(error) !== discordErrors.unknownMessage) throw error;
    });
  }

  /** Does what Discord refuses in an archived thread, and reopens that for it. */
  async #inOpenThread(work: () => Promise<unknown>): Promise<unknown> {
    const { rest, channelId, signal } = this.#options;
    try {
      return await work();
    } catch (error) {
      if (discordCode(error) !== discordErrors.threadArchived) throw error;
      await rest.patch(Routes.channel(channelId), { body: { archived: false }, signal }).catch(() => {
        // The thread is locked. Report that it is closed, not the missing permission to reopen it.
        throw error;
      });
      return await work();
    }
  }

  /** Writes with the picture, or without where the bot may not attach files. */
  async #write(
    message: ChannelMessage,
    send: (request: ReturnType<typeof requestOf>) => Promise<unknown>,
  ): Promise<string> {
    const { log, name, gateway, channelId } = this.#options;
    // Discord would take the message and drop its embed: an alert would be a mention without words, a post only a button.
    if (!gateway.may('EmbedLinks', channelId))
      throw new EmbedsForbiddenError('the bot lacks Embed Links in the channel');
    const isBare = Boolean(message.picture) && !gateway.may('AttachFiles', channelId);
    if (isBare && !this.#isBare)
      log.warn(`${name} has no chart: the bot may not attach files in the channel`);
    this.#isBare = isBare;
    const answer = await send(requestOf(isBare ? { ...message, picture: null } : message));
    const { id } = Object(answer) as Partial<APIMessage>;
    if (typeof id !== 'string') throw new Error(notOfDiscord);
    this.pause.end();
    return id;
  }
}
