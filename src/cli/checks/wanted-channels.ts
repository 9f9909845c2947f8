import { readPlacements, type StoredPlacement } from '../../bot/channels/placement-store.ts';
import { hasPlayerRules, isForModerators } from '../../bot/channels/kinds/arrival-rules.ts';
import type { DiscordConfig } from '../../config/schema.ts';
import type { ReadDatabase } from '../../server/store/engine/database.ts';
import { readBotValues } from '../../server/store/engine/small-values.ts';

/** A channel to which the bot posts, and what it needs there. */
export interface WantedChannel {
  /** The key in the config, `discord.statusPosts[0]`; or what a member placed, `placed status post`. */
  key: string;
  channelId: string;
  /** The servers that it is about; empty for a leaderboard. */
  servers: readonly string[];
  /** For pictures. */
  needsFiles: boolean;
  /** Works in home guilds only. */
  isHomeOnly: boolean;
  /** What is posted there is not for everybody. */
  isForModerators: boolean;
  /** Roles that are mentioned there. */
  roleIds: readonly string[];
  /** By a member, not by the config. */
  isPlaced: boolean;
}

type Content = StoredPlacement['content'];

const names: Record<Content['kind'], string> = {
  status: 'status post',
  leaderboard: 'leaderboard post',
  schedule: 'schedule post',
  alerts: 'alerts',
  feed: 'kill feed',
  recap: 'recap',
};

/** The channels in which members placed something. @param hasPictures a bot on a remote service draws none */
export async function placedChannels(db: ReadDatabase['db'], hasPictures: boolean): Promise<WantedChannel[]> {
  const placements = await readPlacements(
    async (name) => (await readBotValues(db, name)).find(({ key }) => key === name)?.value,
  );
  return placements.map(({ channelId, content }) => ({
    ...plain,
    key: `placed ${names[content.kind]}`,
    channelId,
    servers: content.kind === 'leaderboard' ? [] : content.servers,
    needsFiles:
      hasPictures && (content.kind === 'recap' || (content.kind === 'status' && content.chart !== 'none')),
    ...(content.kind === 'alerts' && needsOfAlerts(content.rules)),
    isHomeOnly: true,
    isPlaced: true,
  }));
}

/** The channels that the config names. @param hasPictures as of `placedChannels` */
export function configuredChannels(discord: DiscordConfig, hasPictures: boolean): WantedChannel[] {
  const { statusPosts, leaderboardPosts, schedulePosts, recapPosts, alerts, killFeeds } = discord;
  const keyed = <T extends { channelId: string; servers?: readonly string[] | undefined }>(
    name: string,
    posts: readonly T[],
    needsOf: (post: T) => Partial<WantedChannel> = () => ({}),
  ): WantedChannel[] =>
    posts.map((post, place) => {
      const { channelId, servers = [] } = post;
      return { ...plain, key: `discord.${name}[${place}]`, channelId, servers, ...needsOf(post) };
    });
  return [
    ...keyed('statusPosts', statusPosts, ({ chart }) => ({ needsFiles: hasPictures && chart !== 'none' })),
    ...keyed('leaderboardPosts', leaderboardPosts),
    ...keyed('schedulePosts', schedulePosts),
    ...keyed('recapPosts', recapPosts, () => ({ isHomeOnly: true, needsFiles: hasPictures })),
    ...keyed('alerts', alerts, needsOfAlerts),
    ...keyed('killFeeds', killFeeds, () => ({ isHomeOnly: true })),
  ];
}

const plain = {
  needsFiles: false,
  isHomeOnly: false,
  isForModerators: false,
  isPlaced: false,
  roleIds: [],
};

type AlertRules = Extract<Content, { kind: 'alerts' }>['rules'];

const needsOfAlerts = (rules: AlertRules): Partial<WantedChannel> => {
  const { down, players, restart, watched, banned, newPlayers } = rules;
  return {
    isHomeOnly: hasPlayerRules(rules),
    isForModerators: isForModerators(rules),
    roleIds: [down, players, restart, watched, banned, newPlayers].flatMap((rule) => rule?.roleId ?? []),
  };
};
