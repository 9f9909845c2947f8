import type { MetricCode } from '../../../api/metrics.ts';
import type { PostContent } from '../../../commands/placements.ts';
import type { ChartRange } from '../../../embeds/chart/axis.ts';

/** One post: a message in a channel that is kept up to date. */
export interface PostConfig {
  /** The message id is stored under this key. */
  key: string;
  /** Where a member placed it; left out: the config places it. */
  guildId?: string | undefined;
  channelId: string;
  cron: string;
  /** Left out: the guild's. */
  locale?: string | undefined;
  content: PostContent;
}

interface Place {
  channelId: string;
  cron: string;
  locale?: string | undefined;
}

/** The posts of a config file, by kind. */
export interface ConfiguredPosts {
  statusPosts: readonly (Place & {
    servers: readonly string[];
    chart?: ChartRange | 'none' | undefined;
    names?: boolean | undefined;
  })[];
  leaderboardPosts?: readonly (Place & { metric: MetricCode; limit: number })[] | undefined;
  schedulePosts?: readonly (Place & { servers: readonly string[] })[] | undefined;
}

/** The posts of a config as one list. Keys hold kind, channel and position, so that a post's content may change. */
export function configuredPosts(config: ConfiguredPosts): PostConfig[] {
  const seen = new Map<string, number>();
  const post = ({ channelId, cron, locale }: Place, content: PostContent): PostConfig => {
    const group = `${content.kind}-post:${channelId}`;
    const place = seen.get(group) ?? 0;
    seen.set(group, place + 1);
    return { key: `${group}:${place}`, channelId, cron, locale, content };
  };
  return [
    ...config.statusPosts.map(({ servers, chart = '24h', names = false, ...at }) =>
      post(at, { kind: 'status', servers, chart, names }),
    ),
    ...(config.leaderboardPosts ?? []).map(({ metric, limit, ...at }) =>
      post(at, { kind: 'leaderboard', metric, limit }),
    ),
    ...(config.schedulePosts ?? []).map(({ servers, ...at }) => post(at, { kind: 'schedule', servers })),
  ];
}
