import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type {
  NewPlacement,
  Placed,
  PlacedContent,
  Placements,
  PostStatus,
} from '../../commands/placements.ts';
import type { AlertConfig, Alerts } from './alerts/alerts.ts';
import type { FeedConfig } from './feeds/feed-config.ts';
import type { Feeds } from './feeds/feeds.ts';
import { loggable } from '../loggable.ts';
import type { StoredPlacement, PlacementStore } from './placement-store.ts';
import type { PostConfig } from './posts/post-config.ts';
import type { Posts } from './posts/posts.ts';

/** The options of the menu that removes them. */
const mostPerGuild = 25;

/** The same as the config's defaults. */
const crons = { status: '*/2 * * * *', leaderboard: '*/10 * * * *', schedule: '*/10 * * * *' } as const;

export interface PlacementsOptions {
  store: PlacementStore;
  posts: Posts;
  alerts: Alerts;
  feeds: Feeds;
  guildOf: (channelId: string) => { id: string } | null;
  isHome: (guildId: string) => boolean;
  /** Whether one of these servers belongs to another project than the guild shows. */
  areForeign: (guildId: string, serverIds: readonly string[]) => boolean;
  log: Logger;
  /** Ends the attempts to read the placements. */
  signal: AbortSignal;
  /** Between two of these attempts. */
  readAgainMs: number;
}

/** The guilds whose placements this process starts. */
export interface StartedGuilds {
  /** Whether this process is connected as the guild's shard. */
  isServed: (guildId: string) => boolean;
  joinedIds: () => ReadonlySet<string>;
}

export interface GuildPlacements extends Placements {
  /**
   * Starts what members placed in guilds that the bot is still in, and deletes the rest. If they cannot be
   * read, it retries in the background. Never rejects.
   */
  start(guilds: StartedGuilds): Promise<void>;
  /** Deletes what members placed in a guild. Never rejects. */
  forgetGuild(guildId: string): Promise<void>;
}

const keyOf = (id: string) => `placed:${id}`;

function postOf(kept: StoredPlacement): PostConfig | null {
  const { guildId, channelId, locale, content } = kept;
  if (content.kind === 'alerts' || content.kind === 'feed') return null;
  return { key: keyOf(kept.id), guildId, channelId, locale, cron: crons[content.kind], content };
}

function alertsOf(kept: StoredPlacement): AlertConfig | null {
  const { guildId, channelId, locale, content } = kept;
  if (content.kind !== 'alerts') return null;
  return { ...content.rules, key: keyOf(kept.id), guildId, channelId, locale, servers: content.servers };
}

function feedOf(kept: StoredPlacement): FeedConfig | null {
  const { guildId, channelId, locale, content } = kept;
  if (content.kind !== 'feed') return null;
  const { kind: _, ...settings } = content;
  return { ...settings, key: keyOf(kept.id), guildId, channelId, locale };
}

/** Connects the running posts, alerts and kill feeds with the stored placements. */
export function createPlacements({
  store,
  posts,
  alerts,
  feeds,
  guildOf,
  isHome,
  areForeign,
  log,
  signal,
  readAgainMs,
}: PlacementsOptions): GuildPlacements {
  const placedOf = ({ id, guildId, channelId, content }: StoredPlacement): Placed => {
    const status = isHome(guildId) ? statusOf(id, content) : ({ state: 'paused' } as const);
    return { id, channelId, content, status: foreignStatus(guildId, content) ?? status };
  };

  /** Null: the content's servers are those of the project that the guild shows. */
  function foreignStatus(guildId: string, content: PlacedContent): PostStatus | null {
    const isForeign = content.kind !== 'leaderboard' && areForeign(guildId, content.servers);
    return isForeign ? { state: 'failing', reason: 'otherProject' } : null;
  }

  function statusOf(id: string, { kind }: PlacedContent): PostStatus | null {
    if (kind === 'alerts') return null;
    return kind === 'feed' ? feeds.status(keyOf(id)) : posts.status(keyOf(id));
  }

  /** Starts alerts and kill feeds. Returns a post, which the caller starts; null for all else. */
  function start(kept: StoredPlacement): PostConfig | null {
    const [post, alert, feed] = [postOf(kept), alertsOf(kept), feedOf(kept)];
    if (alert !== null) alerts.add(alert);
    if (feed !== null) feeds.add(feed);
    return post;
  }

  /** What the config places in a guild. */
  function configured(guildId: string): Placed[] {
    const here = ({ key, channelId }: { key: string; channelId: string }) =>
      !key.startsWith(keyOf('')) && guildOf(channelId)?.id === guildId;
    const fromPosts = posts
      .list()
      .filter(here)
      .map(({ key, channelId, content }) => ({ id: null, channelId, content, status: posts.status(key) }));
    const fromAlerts = alerts
      .list()
      .filter(here)
      .map(({ channelId, servers, down, players, restart }) => {
        const content = { kind: 'alerts' as const, servers, rules: { down, players, restart } };
        return { id: null, channelId, content, status: null };
      });
    const fromFeeds = feeds
      .list()
      .filter(here)
      .map(({ key, channelId, servers, show, delaySeconds, positions, maxAgeMinutes }) => {
        const content = { kind: 'feed' as const, servers, show, delaySeconds, positions, maxAgeMinutes };
        const status = isHome(guildId) ? feeds.status(key) : ({ state: 'paused' } as const);
        return { id: null, channelId, content, status };
      });
    return [...fromPosts, ...fromAlerts, ...fromFeeds].map((placed) => ({
      ...placed,
      status: foreignStatus(guildId, placed.content) ?? placed.status,
    }));
  }

  async function end(kept: StoredPlacement, deleting: boolean): Promise<void> {
    const { kind } = kept.content;
    if (kind === 'alerts') await alerts.remove(keyOf(kept.id));
    else if (kind === 'feed') await feeds.remove(keyOf(kept.id));
    else await posts.remove(keyOf(kept.id), { deleting });
  }

  /** Deletes those that `select` names once they are read. */
  async function forget(
    select: (stored: readonly StoredPlacement[]) => readonly StoredPlacement[],
  ): Promise<void> {
    try {
      const forgotten = select(await store.list());
      if (forgotten.length === 0) return;
      await store.remove(forgotten.map(({ id }) => id));
      for (const kept of forgotten) await end(kept, false);
    } catch (error) {
      log.warn({ error: loggable(error) }, 'could not delete placements of members');
    }
  }

  /** @throws when the placements cannot be read */
  async function startStored({ isServed, joinedIds }: StartedGuilds): Promise<void> {
    // Shards may connect while placements are read. So which guilds the bot has left is checked after each read.
    const left = (stored: readonly StoredPlacement[]) => {
      const joined = joinedIds();
      return stored.filter(({ guildId }) => isServed(guildId) && !joined.has(guildId));
    };
    if (left(await store.list()).length > 0) await forget(left);
    const stored = await store.list();
    const joined = joinedIds();
    for (const kept of stored) {
      const post = joined.has(kept.guildId) ? start(kept) : null;
      if (post !== null) posts.start(post);
    }
  }

  async function startLater(guilds: StartedGuilds): Promise<void> {
    for (let isRead = false; !isRead;) {
      await delay(readAgainMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      isRead = await startStored(guilds).then(
        () => true,
        () => false,
      );
    }
    log.info('the placements of members could be read');
  }

  return {
    async start(guilds) {
      try {
        await startStored(guilds);
      } catch (error) {
        log.warn(
          { error: loggable(error) },
          'could not read the placements of members, and tries again until it can',
        );
        void startLater(guilds);
      }
    },
    forgetGuild: async (id) => await forget((stored) => stored.filter(({ guildId }) => guildId === id)),

    async list(guildId) {
      const kept = (await store.list()).filter((each) => each.guildId === guildId);
      return [...kept.map(placedOf), ...configured(guildId)];
    },
    async place(placement: NewPlacement) {
      const here = (await store.list()).filter(({ guildId }) => guildId === placement.guildId);
      if (here.length >= mostPerGuild) return { full: mostPerGuild };
      const kept = await store.add(placement);
      const post = start(kept);
      const status = post === null ? null : await posts.add(post);
      if (status?.state !== 'failing') return { placed: placedOf(kept) };
      await store.remove([kept.id]);
      await end(kept, true);
      return { failed: status.reason };
    },
    async remove(guildId, id) {
      const kept = (await store.list()).find((each) => each.id === id && each.guildId === guildId);
      if (kept === undefined) return null;
      await store.remove([id]);
      const placed = placedOf(kept);
      await end(kept, true);
      return placed;
    },
  };
}
