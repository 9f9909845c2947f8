import type { REST } from '@discordjs/rest';
import { Routes } from 'discord.js';
import { createBoundedCache } from '../../process/bounded-cache.ts';
import { failureOf } from './channel-refusal.ts';

/**
 * The guilds of channels that discord.js does not know in this process: archived threads, and channels of shards that other
 * processes hold. A channel never moves to another guild.
 */
export class ChannelGuilds {
  readonly #rest: REST;
  readonly #guildIds = createBoundedCache<string>(20_000);

  constructor(rest: REST) {
    this.#rest = rest;
  }

  /** As Discord said before; undefined: it was not asked, or refused. */
  known(channelId: string): string | undefined {
    return this.#guildIds.get(channelId);
  }

  /**
   * Asks Discord, if the answer is not known. Null: the channel is in no guild.
   * @throws the client's errors, also where the channel is gone or hidden from the bot
   */
  async ask(channelId: string, signal: AbortSignal): Promise<string | null> {
    const known = this.known(channelId);
    if (known !== undefined) return known;
    const channel = (await this.#rest.get(Routes.channel(channelId), { signal })) as { guild_id?: string };
    if (channel.guild_id !== undefined) this.#guildIds.set(channelId, channel.guild_id);
    return channel.guild_id ?? null;
  }

  /** As `ask`. Null also where the channel is gone or hidden from the bot. */
  async find(channelId: string, signal: AbortSignal): Promise<string | null> {
    return await this.ask(channelId, signal).catch((error: unknown) => {
      if (failureOf(error) !== 'refused') throw error;
      return null;
    });
  }
}
