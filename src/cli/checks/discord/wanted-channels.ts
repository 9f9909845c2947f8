import type { DiscordConfig } from '../../../config/schema.ts';

/** A channel to which the bot posts, and what it needs there. */
export interface WantedChannel {
  /** The key in the config, `discord.statusPosts[0]`; or what a member placed, `placed status post`. */
  key: string;
  channelId: string;
  /** The servers that it is about; empty for a leaderboard. */
  servers: readonly string[];
  needsFiles: boolean;
  needsHistory: boolean;
  /** Works in home guilds only. */
  isHomeOnly: boolean;
  /** What is posted there is not for everybody. */
  isForModerators: boolean;
  /** Roles that are mentioned there. */
  roleIds: readonly string[];
  /** By a member, not by the config. */
  isPlaced: boolean;
}

const plain = {
  servers: [],
  needsFiles: false,
  needsHistory: false,
  isHomeOnly: false,
  isForModerators: false,
  isPlaced: false,
  roleIds: [],
};

/** @param hasCharts whether status posts have charts; a bot on a remote service draws none */
export function wantedChannels(discord: DiscordConfig, hasCharts: boolean): WantedChannel[] {
  const { statusPosts, leaderboardPosts, schedulePosts, recapPosts, alerts, killFeeds } = discord;
  const keyed = <T>(name: string, list: readonly T[], of: (item: T) => Omit<WantedChannel, 'key'>) =>
    list.map((item, i) => ({ key: `discord.${name}[${i}]`, ...of(item) }));
  return [
    ...keyed('statusPosts', statusPosts, ({ channelId, servers, chart }) => ({
      ...plain,
      channelId,
      servers,
      needsFiles: hasCharts && chart !== 'none',
    })),
    ...keyed('leaderboardPosts', leaderboardPosts, ({ channelId }) => ({ ...plain, channelId })),
    ...keyed('schedulePosts', schedulePosts, ({ channelId, servers }) => ({ ...plain, channelId, servers })),
    ...keyed('recapPosts', recapPosts, ({ channelId, servers = [] }) => ({
      ...plain,
      channelId,
      servers,
      needsFiles: hasCharts,
      needsHistory: true,
      isHomeOnly: true,
    })),
    ...keyed('alerts', alerts, ({ channelId, servers, ...alert }) => {
      const { down, players, restart, watched, banned, newPlayers } = alert;
      const isAboutPlayers = [watched, banned, newPlayers].some((rule) => rule !== undefined);
      return {
        ...plain,
        channelId,
        servers,
        needsHistory: isAboutPlayers,
        isHomeOnly: isAboutPlayers,
        isForModerators: [watched, banned].some((rule) => rule !== undefined),
        roleIds: [down, players, restart, watched, banned, newPlayers].flatMap((rule) => rule?.roleId ?? []),
      };
    }),
    ...keyed('killFeeds', killFeeds, ({ channelId, servers }) => ({
      ...plain,
      channelId,
      servers,
      needsHistory: true,
      isHomeOnly: true,
    })),
  ];
}
