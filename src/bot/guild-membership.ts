import type { Logger } from 'pino';
import type { AlertConfig, Alerts } from './alerts/alerts.ts';
import type { FeedConfig } from './feeds/feed-config.ts';
import type { Feeds } from './feeds/feeds.ts';
import { loggable } from './loggable.ts';
import type { Gateway } from './gateway.ts';
import type { GuildPlacements } from './placements.ts';
import type { PostConfig } from './posts/post-config.ts';
import type { Posts } from './posts/posts.ts';

export interface GuildMembershipOptions {
  gateway: Gateway;
  posts: Posts;
  alerts: Alerts;
  feeds: Feeds;
  placements: GuildPlacements;
  /** What the config places, in all guilds. */
  configured: {
    posts: readonly PostConfig[];
    alerts: readonly AlertConfig[];
    feeds: readonly FeedConfig[];
  };
  log: Logger;
}

/**
 * Removes the posts, alerts and kill feeds of a guild that the bot leaves. When the bot rejoins, those of the config start again.
 * Returns a function that stops the tracking.
 */
export function trackGuildMembership({
  gateway,
  posts,
  alerts,
  feeds,
  placements,
  configured,
  log,
}: GuildMembershipOptions): () => void {
  /** Guild ids by key, recorded in advance: after the bot left a guild, its channels are unknown. */
  const guildIds = new Map<string, string>();
  function recordGuilds(): void {
    for (const { key, channelId } of [...configured.posts, ...configured.alerts, ...configured.feeds]) {
      const guild = gateway.guildOf(channelId);
      if (guild !== null) guildIds.set(key, guild.id);
    }
  }
  const isIn = (guildId: string) => (each: { key: string }) => guildIds.get(each.key) === guildId;

  async function leave(guildId: string): Promise<void> {
    await Promise.all(configured.posts.filter(isIn(guildId)).map(({ key }) => posts.remove(key)));
    await Promise.all(configured.alerts.filter(isIn(guildId)).map(({ key }) => alerts.remove(key)));
    await Promise.all(configured.feeds.filter(isIn(guildId)).map(({ key }) => feeds.remove(key)));
    await placements.forgetGuild(guildId);
    log.info(`the bot left the guild ${guildId}; its posts are removed`);
  }

  recordGuilds();
  return gateway.on({
    joined(guildId) {
      recordGuilds();
      for (const post of configured.posts.filter(isIn(guildId))) posts.start(post);
      for (const alert of configured.alerts.filter(isIn(guildId))) alerts.add(alert);
      for (const feed of configured.feeds.filter(isIn(guildId))) feeds.add(feed);
    },
    left(guildId) {
      leave(guildId).catch((error: unknown) =>
        log.warn({ error: loggable(error) }, `could not delete the posts and alerts of the guild ${guildId}`),
      );
    },
  });
}
