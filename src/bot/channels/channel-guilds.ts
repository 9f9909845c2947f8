import type { REST } from '@discordjs/rest';
import { Routes } from 'discord.js';
import { LRUCache } from 'lru-cache';
import { failureOf } from './feeds/delivery.ts';

/**
 * The guilds of channels that discord.js does not know in this process: archived threads, and channels of shards that other
 * processes hold.
 */
export interface ChannelGuilds {
  /** As Discord said before; undefined: it was not asked, or refused. */
  known(channelId: string): string | undefined;
  /**
   * Asks Discord, if the answer is not known. Null: the channel is gone, hidden from the bot, or in no guild.
   * @throws when Discord does not answer
   */
  ask(channelId: string, signal: AbortSignal): Promise<string | null>;
}

/** A channel never moves to another guild. */
export function createChannelGuilds(rest: REST): ChannelGuilds {
  const guildIds = new LRUCache<string, string>({ max: 20_000 });
  return {
    known: (channelId) => guildIds.get(channelId),
    async ask(channelId, signal) {
      const known = guildIds.get(channelId);
      if (known !== undefined) return known;
      try {
        const channel = (await rest.get(Routes.channel(channelId), { signal })) as { guild_id?: string };
        if (channel.guild_id !== undefined) guildIds.set(channelId, channel.guild_id);
        return channel.guild_id ?? null;
      } catch (error) {
        if (failureOf(error) === 'refused') return null;
        throw error;
      }
    },
  };
}
