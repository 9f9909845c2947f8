import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { AlertConfig, Alerts } from './alerts/alerts.ts';
import type { ChannelGuilds } from './channel-guilds.ts';
import type { FeedConfig } from './feeds/feed-config.ts';
import type { Feeds } from './feeds/feeds.ts';
import { loggable } from '../loggable.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { GuildPlacements } from './placements.ts';
import type { PostConfig } from './posts/post-config.ts';
import type { Posts } from './posts/posts.ts';

export interface GuildMembershipOptions {
  gateway: Gateway;
  channelGuilds: ChannelGuilds;
  /** Whether guilds show different projects. */
  areSeveral: () => boolean;
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

/** Between two rounds of questions to Discord, as long as it does not answer. */
const askAgainMs = 60_000;

/**
 * Starts what the config places in channels that become known later. Removes the posts, alerts and kill feeds of a guild that
 * the bot leaves; when the bot rejoins, those of the config start again. Returns a function that stops the tracking.
 */
export function trackGuildMembership({
  gateway,
  channelGuilds,
  areSeveral,
  posts,
  alerts,
  feeds,
  placements,
  configured,
  log,
}: GuildMembershipOptions): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Guild ids by key, recorded in advance: after the bot left a guild, its channels are unknown. */
  const guildIds = new Map<string, string>();
  let unknown: readonly { key: string; channelId: string }[] = [
    ...configured.posts,
    ...configured.alerts,
    ...configured.feeds,
  ];
  function recordGuilds(): void {
    for (const { key, channelId } of unknown) {
      const guildId = gateway.guildOf(channelId)?.id ?? channelGuilds.known(channelId);
      if (guildId !== undefined) guildIds.set(key, guildId);
    }
    unknown = unknown.filter(({ key }) => !guildIds.has(key));
  }
  const isIn = (guildId: string) => (each: { key: string }) => guildIds.get(each.key) === guildId;

  async function leave(guildId: string): Promise<void> {
    await Promise.all(configured.posts.filter(isIn(guildId)).map(({ key }) => posts.remove(key)));
    await Promise.all(configured.alerts.filter(isIn(guildId)).map(({ key }) => alerts.remove(key)));
    await Promise.all(configured.feeds.filter(isIn(guildId)).map(({ key }) => feeds.remove(key)));
    await placements.forgetGuild(guildId);
    log.info(`the bot left the guild ${guildId}; its posts are removed`);
  }

  /** Starts those that do not run yet. */
  function start(may: (each: { key: string }) => boolean): void {
    for (const post of configured.posts.filter(may)) posts.start(post);
    for (const alert of configured.alerts.filter(may)) alerts.add(alert);
    for (const feed of configured.feeds.filter(may)) feeds.add(feed);
  }
  function startIn(guildId: string): void {
    recordGuilds();
    start(isIn(guildId));
  }

  async function find(channelId: string): Promise<void> {
    const guildId = await channelGuilds.ask(channelId, signal);
    if (signal.aborted) return;
    if (guildId !== null && gateway.serves(guildId)) {
      startIn(guildId);
      posts.retryBlocked();
    }
    // The other processes find the same.
    else if (guildId === null && gateway.isFirst())
      log.error(
        `Discord does not show the bot the channel ${channelId}, in which the config places something`,
      );
  }

  /**
   * Finds the guilds of channels that the gateway does not know, one by one. Where it is complete and guilds show the same
   * project, nothing waits for that, and a post says itself why Discord refuses it.
   */
  async function findUnknown(): Promise<void> {
    let left = new Set(unknown.map(({ channelId }) => channelId));
    while (left.size > 0 && (areSeveral() || !gateway.isComplete())) {
      const unanswered = new Set<string>();
      for (const channelId of left) {
        if (signal.aborted) return;
        await find(channelId).catch(() => unanswered.add(channelId));
      }
      left = unanswered;
      if (left.size > 0) await delay(askAgainMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  recordGuilds();
  start(({ key }) => {
    const guildId = guildIds.get(key);
    return guildId !== undefined && gateway.serves(guildId);
  });
  void findUnknown();
  const removeListeners = gateway.on({
    joined: startIn,
    changed(guildId) {
      if (unknown.length > 0) startIn(guildId);
    },
    left(guildId) {
      leave(guildId).catch((error: unknown) =>
        log.warn({ error: loggable(error) }, `could not delete the posts and alerts of the guild ${guildId}`),
      );
    },
  });
  return () => {
    stopping.abort();
    removeListeners();
  };
}
