import type { Logger } from 'pino';
import type { AlertConfig, Alerts } from './alerts/alerts.ts';
import { loggable } from './discord-error.ts';
import type { Gateway } from './gateway.ts';
import type { GuildPlacements } from './placements.ts';
import type { PostConfig } from './posts/post-config.ts';
import type { Posts } from './posts/posts.ts';

export interface GuildMembershipOptions {
  gateway: Gateway;
  posts: Posts;
  alerts: Alerts;
  placements: GuildPlacements;
  /** What the config places, in whatever guild. */
  configured: { posts: readonly PostConfig[]; alerts: readonly AlertConfig[] };
  log: Logger;
}

/**
 * Forgets what stood in a guild that the bot leaves. When it comes back, what the config places there begins anew. Returns
 * what ends it.
 */
export function trackGuildMembership({
  gateway,
  posts,
  alerts,
  placements,
  configured,
  log,
}: GuildMembershipOptions): () => void {
  /** Guilds by key, known in advance: once the bot has left one, nobody says which channels were there. */
  const homes = new Map<string, string>();
  function noteHomes(): void {
    for (const { key, channelId } of [...configured.posts, ...configured.alerts]) {
      const guild = gateway.guildOf(channelId);
      if (guild !== null) homes.set(key, guild.id);
    }
  }
  const isIn = (guildId: string) => (each: { key: string }) => homes.get(each.key) === guildId;

  async function leave(guildId: string): Promise<void> {
    await Promise.all(configured.posts.filter(isIn(guildId)).map(({ key }) => posts.remove(key)));
    await Promise.all(configured.alerts.filter(isIn(guildId)).map(({ key }) => alerts.remove(key)));
    await placements.forgetGuild(guildId);
    log.info(`the bot has left the guild ${guildId}; its posts are forgotten`);
  }

  noteHomes();
  return gateway.on({
    joined(guildId) {
      noteHomes();
      const running = new Set(posts.list().map(({ key }) => key));
      for (const post of configured.posts.filter(isIn(guildId)))
        if (!running.has(post.key)) posts.start(post);
      for (const alert of configured.alerts.filter(isIn(guildId))) alerts.add(alert);
    },
    left(guildId) {
      leave(guildId).catch((error: unknown) =>
        log.warn({ error: loggable(error) }, `what stood in the guild ${guildId} could not be forgotten`),
      );
    },
  });
}
