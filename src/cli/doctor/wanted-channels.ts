import type { DiscordConfig } from '../../config/schema.ts';

/** A channel to which the bot posts, and what it needs there. */
export interface WantedChannel {
  /** The key in the config, `discord.statusPosts[0]`; or what a member placed, `placed status post`. */
  key: string;
  channelId: string;
  needsFiles: boolean;
  needsHistory: boolean;
  /** Works in home guilds only. */
  isHomeOnly: boolean;
  /** Roles that are mentioned there. */
  roleIds: readonly string[];
  /** By a member, not by the config. */
  isPlaced: boolean;
}

const plain = { needsFiles: false, needsHistory: false, isHomeOnly: false, isPlaced: false, roleIds: [] };

/** @param hasCharts whether status posts have charts; a bot on a remote service draws none */
export function wantedChannels(discord: DiscordConfig, hasCharts: boolean): WantedChannel[] {
  const { statusPosts, leaderboardPosts, schedulePosts, alerts, killFeeds } = discord;
  const keyed = <T>(name: string, list: readonly T[], of: (item: T) => Omit<WantedChannel, 'key'>) =>
    list.map((item, i) => ({ key: `discord.${name}[${i}]`, ...of(item) }));
  return [
    ...keyed('statusPosts', statusPosts, ({ channelId, chart }) => ({
      ...plain,
      channelId,
      needsFiles: hasCharts && chart !== 'none',
    })),
    ...keyed('leaderboardPosts', leaderboardPosts, ({ channelId }) => ({ ...plain, channelId })),
    ...keyed('schedulePosts', schedulePosts, ({ channelId }) => ({ ...plain, channelId })),
    ...keyed('alerts', alerts, ({ channelId, down, players, restart }) => ({
      ...plain,
      channelId,
      roleIds: [down, players, restart].flatMap((rule) => rule?.roleId ?? []),
    })),
    ...keyed('killFeeds', killFeeds, ({ channelId }) => ({
      ...plain,
      channelId,
      needsHistory: true,
      isHomeOnly: true,
    })),
  ];
}
