import type { Logger } from 'pino';
import type { NewPlacement, Placed, Placements } from '../commands/placements.ts';
import type { AlertConfig, Alerts } from './alerts/alerts.ts';
import { loggable } from './discord-error.ts';
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
  guildOf: (channelId: string) => { id: string } | null;
  isHome: (guildId: string) => boolean;
  log: Logger;
}

export interface GuildPlacements extends Placements {
  /** Starts what members placed in guilds that the bot is still in, and deletes the rest. Never rejects. */
  start(joinedGuildIds: ReadonlySet<string>): Promise<void>;
  /** Deletes what members placed in a guild. Never rejects. */
  forgetGuild(guildId: string): Promise<void>;
}

const keyOf = (id: string) => `placed:${id}`;

function postOf(kept: StoredPlacement): PostConfig | null {
  const { guildId, channelId, locale, content } = kept;
  if (content.kind === 'alerts') return null;
  return { key: keyOf(kept.id), guildId, channelId, locale, cron: crons[content.kind], content };
}

function alertsOf(kept: StoredPlacement): AlertConfig | null {
  const { guildId, channelId, locale, content } = kept;
  if (content.kind !== 'alerts') return null;
  return { ...content.rules, key: keyOf(kept.id), guildId, channelId, locale, servers: content.servers };
}

/** Connects the running posts and alerts with the stored placements. */
export function createPlacements({
  store,
  posts,
  alerts,
  guildOf,
  isHome,
  log,
}: PlacementsOptions): GuildPlacements {
  const placedOf = ({ id, guildId, channelId, content }: StoredPlacement): Placed => {
    const status = content.kind === 'alerts' ? null : posts.status(keyOf(id));
    return { id, channelId, content, status: isHome(guildId) ? status : { state: 'paused' } };
  };

  /** Posts and alerts from the config in a guild. */
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
    return [...fromPosts, ...fromAlerts];
  }

  async function end(kept: StoredPlacement, deleting: boolean): Promise<void> {
    if (kept.content.kind === 'alerts') await alerts.remove(keyOf(kept.id));
    else await posts.remove(keyOf(kept.id), { deleting });
  }

  async function forget(gone: (kept: StoredPlacement) => boolean): Promise<void> {
    try {
      const forgotten = (await store.list()).filter(gone);
      if (forgotten.length === 0) return;
      await store.remove(forgotten.map(({ id }) => id));
      for (const kept of forgotten) await end(kept, false);
    } catch (error) {
      log.warn({ error: loggable(error) }, 'could not delete placements of members');
    }
  }

  return {
    async start(joinedGuildIds) {
      await forget(({ guildId }) => !joinedGuildIds.has(guildId));
      try {
        for (const kept of await store.list()) {
          const [post, alert] = [postOf(kept), alertsOf(kept)];
          if (post !== null) posts.start(post);
          if (alert !== null) alerts.add(alert);
        }
      } catch (error) {
        log.error(
          { error: loggable(error) },
          'could not read the placements of members; they start with the next restart of the bot',
        );
      }
    },
    forgetGuild: async (id) => await forget(({ guildId }) => guildId === id),

    async list(guildId) {
      const kept = (await store.list()).filter((each) => each.guildId === guildId);
      return [...kept.map(placedOf), ...configured(guildId)];
    },
    async place(placement: NewPlacement) {
      const here = (await store.list()).filter(({ guildId }) => guildId === placement.guildId);
      if (here.length >= mostPerGuild) return { full: mostPerGuild };
      const kept = await store.add(placement);
      const [post, alert] = [postOf(kept), alertsOf(kept)];
      if (alert !== null) alerts.add(alert);
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
