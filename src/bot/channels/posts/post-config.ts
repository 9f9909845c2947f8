import type { BoardMetric, PeriodKind } from '../../../api/log-metrics.ts';
import type { PostContent } from '../../../commands/ports/placements.ts';
import type { ChartKind } from '../../../embeds/chart/axis.ts';
import { keyed, type PlacedConfig } from '../placed-config.ts';

/** One post: a message in a channel that is kept up to date. */
export interface PostConfig extends PlacedConfig {
  cron: string;
  content: PostContent;
}

type Place = Pick<PostConfig, 'channelId' | 'cron' | 'locale'>;

/** The posts of a config file, by kind. */
export interface ConfiguredPosts {
  statusPosts: readonly (Place & {
    servers: readonly string[];
    chart?: ChartKind | 'none' | undefined;
    names?: boolean | undefined;
  })[];
  leaderboardPosts?:
    readonly (Place & { metric: BoardMetric; limit: number; period?: PeriodKind | undefined })[] | undefined;
  schedulePosts?: readonly (Place & { servers: readonly string[] })[] | undefined;
}

/** The posts of a config as one list. */
export function configuredPosts({
  statusPosts,
  leaderboardPosts = [],
  schedulePosts = [],
}: ConfiguredPosts): PostConfig[] {
  const posts: (Place & { content: PostContent })[] = [
    ...statusPosts.map(({ servers, chart = '24h', names = false, ...place }) => ({
      ...place,
      content: { kind: 'status' as const, servers, chart, names },
    })),
    ...leaderboardPosts.map(({ metric, limit, period, ...place }) => ({
      ...place,
      content: { kind: 'leaderboard' as const, metric, limit, ...(period !== undefined && { period }) },
    })),
    ...schedulePosts.map(({ servers, ...place }) => ({
      ...place,
      content: { kind: 'schedule' as const, servers },
    })),
  ];
  return keyed(({ content }) => `${content.kind}-post`, posts);
}
