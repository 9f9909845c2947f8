import { hasPlayerRules, isForModerators } from '../../../bot/channels/watch/player-alert.ts';
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
  const keyed = <T extends { channelId: string; servers?: readonly string[] | undefined }>(
    name: string,
    list: readonly T[],
    needsOf: (item: T) => Partial<WantedChannel> = () => ({}),
  ): WantedChannel[] =>
    list.map((item, i) => {
      const { channelId, servers = [] } = item;
      return { ...plain, key: `discord.${name}[${i}]`, channelId, servers, ...needsOf(item) };
    });
  const likeFeed = { needsHistory: true, isHomeOnly: true };
  return [
    ...keyed('statusPosts', statusPosts, ({ chart }) => ({ needsFiles: hasCharts && chart !== 'none' })),
    ...keyed('leaderboardPosts', leaderboardPosts),
    ...keyed('schedulePosts', schedulePosts),
    ...keyed('recapPosts', recapPosts, () => ({ ...likeFeed, needsFiles: hasCharts })),
    ...keyed('alerts', alerts, (alert) => {
      const { down, players, restart, watched, banned, newPlayers } = alert;
      return {
        ...(hasPlayerRules(alert) && likeFeed),
        isForModerators: isForModerators(alert),
        roleIds: [down, players, restart, watched, banned, newPlayers].flatMap((rule) => rule?.roleId ?? []),
      };
    }),
    ...keyed('killFeeds', killFeeds, () => likeFeed),
  ];
}
