import { setTimeout as delay } from 'node:timers/promises';
import {
  hasPlayerRules,
  hasServerRules,
  type NewPlacement,
  type Placed,
  type PlaceOutcome,
  type Placements,
  type PostStatus,
} from '../../commands/ports/placements.ts';
import type { Alerts } from './alerts/alerts.ts';
import type { JobOptions } from './background-options.ts';
import type { Feeds } from './feeds/feeds.ts';
import type { Recaps } from './recaps/recaps.ts';
import { loggable } from '../loggable.ts';
import type { PlacedConfig } from './placed-config.ts';
import type { StoredPlacement, PlacementStore } from './placement-store.ts';
import type { Posts } from './posts/posts.ts';
import type { PlayerAlerts } from './watch/player-alerts.ts';

/** The options of the menu that removes them. */
const mostPerGuild = 25;

/** The config's defaults. */
const crons = {
  status: '*/2 * * * *',
  leaderboard: '*/10 * * * *',
  schedule: '*/10 * * * *',
  recap: '0 10 * * 1',
} as const;

type PlacementsOptions = JobOptions & {
  store: PlacementStore;
  posts: Posts;
  alerts: Alerts;
  feeds: Feeds;
  recaps: Recaps;
  playerAlerts: PlayerAlerts;
  /** The guild of a channel; null: it is not known. */
  guildIdOf: (placed: PlacedConfig) => string | null;
};

const keyOf = (id: string) => `placed:${id}`;
const isOver = ({ content }: StoredPlacement): boolean => content.kind === 'recap' && content.isOver === true;

/** Connects the running posts, alerts and kill feeds with the stored placements. */
export class GuildPlacements implements Placements {
  readonly #options: PlacementsOptions;

  constructor(options: PlacementsOptions) {
    this.#options = options;
  }

  /**
   * Starts what members placed in guilds that the bot is still in, and deletes the rest. If they cannot be
   * read, it retries in the background. Never rejects.
   */
  async start(): Promise<void> {
    try {
      await this.#startStored();
    } catch (error) {
      this.#options.log.warn(
        { error: loggable(error) },
        'could not read the placements of members, and tries again until it can',
      );
      void this.#startLater();
    }
  }

  /** Deletes what members placed in a guild. Never rejects. */
  async forgetGuild(id: string): Promise<void> {
    await this.#forget((stored) => stored.filter(({ guildId }) => guildId === id));
  }

  async list(guildId: string): Promise<Placed[]> {
    const kept = await this.#keptIn(guildId);
    return [...kept.map((each) => this.#placedOf(each)), ...this.#configured(guildId)];
  }

  async place(placement: NewPlacement): Promise<PlaceOutcome> {
    const { store, posts } = this.#options;
    const here = await this.#keptIn(placement.guildId);
    if (here.length >= mostPerGuild) return { full: mostPerGuild };
    const kept = await store.add(placement);
    this.#start(kept);
    const status = await posts.update(keyOf(kept.id));
    if (status.state !== 'failing') return { placed: this.#placedOf(kept) };
    await store.remove([kept.id]);
    await this.#end(kept, true);
    return { failed: status.reason };
  }

  async remove(guildId: string, id: string): Promise<Placed | null> {
    const kept = (await this.#keptIn(guildId)).find((each) => each.id === id);
    if (kept === undefined) return null;
    const placed = this.#placedOf(kept);
    try {
      await this.#end(kept, true);
      await this.#drop(kept);
    } catch (error) {
      // Otherwise its message would stay for good.
      this.#start(kept);
      throw error;
    }
    return placed;
  }

  /**
   * Deletes a placement. Recaps are kept, to take players who are hidden or forgotten out of their messages: the latest of a
   * guild, as many as it may place.
   */
  async #drop(kept: StoredPlacement): Promise<void> {
    const { store, recaps } = this.#options;
    if (kept.content.kind !== 'recap') return await store.remove([kept.id]);
    const earlier = (await store.list()).filter((each) => each.guildId === kept.guildId && isOver(each));
    const [oldest] = earlier;
    if (oldest !== undefined && earlier.length >= mostPerGuild) {
      await recaps.remove(keyOf(oldest.id), { deleting: false });
      await store.remove([oldest.id]);
    }
    const over = { ...kept, content: { ...kept.content, isOver: true as const } };
    await store.replace(over);
    this.#start(over);
  }

  async #keptIn(guildId: string): Promise<StoredPlacement[]> {
    return (await this.#options.store.list()).filter((each) => each.guildId === guildId && !isOver(each));
  }

  /** Starts it in the background. */
  #start(kept: StoredPlacement): void {
    const { id, guildId, channelId, locale, content } = kept;
    const { posts, alerts, feeds, recaps, playerAlerts } = this.#options;
    const placed = { key: keyOf(id), guildId, channelId, locale };
    if (content.kind === 'alerts') {
      const config = { ...placed, ...content.rules, servers: content.servers };
      if (hasServerRules(config)) alerts.start(config);
      if (hasPlayerRules(config)) playerAlerts.start(config);
    } else if (content.kind === 'feed') feeds.start({ ...placed, ...content });
    else if (content.kind === 'recap')
      recaps.start({ ...placed, servers: content.servers, cron: isOver(kept) ? null : crons.recap });
    else posts.start({ ...placed, cron: crons[content.kind], content });
  }

  async #end({ id, content: { kind } }: StoredPlacement, deleting: boolean): Promise<void> {
    const { posts, alerts, feeds, recaps, playerAlerts } = this.#options;
    if (kind === 'alerts') await alerts.remove(keyOf(id));
    const others =
      kind === 'alerts' ? playerAlerts : kind === 'feed' ? feeds : kind === 'recap' ? recaps : posts;
    await others.remove(keyOf(id), { deleting });
  }

  #placedOf({ id, guildId, channelId, content }: StoredPlacement): Placed {
    const placed = { key: keyOf(id), channelId, content };
    return { id, channelId, content, status: this.#statusOf(guildId, placed) };
  }

  #statusOf(
    guildId: string,
    { key, channelId, content }: Pick<Placed, 'channelId' | 'content'> & { key: string },
  ): PostStatus | null {
    const { posts, alerts, feeds, recaps, playerAlerts, isHome, projectOf } = this.#options;
    if (content.kind !== 'leaderboard' && projectOf(guildId)?.areForeign(content.servers) === true)
      return { state: 'failing', reason: 'otherProject' };
    const isPlaced = key.startsWith(keyOf(''));
    // Of the config's, only what names players is paused elsewhere.
    const isHomeOnly =
      ['feed', 'recap'].includes(content.kind) ||
      (content.kind === 'alerts' && hasPlayerRules(content.rules));
    if ((isPlaced || isHomeOnly) && !isHome(guildId)) return { state: 'paused' };
    if (content.kind === 'alerts') return alerts.status(channelId) ?? playerAlerts.status(key);
    if (content.kind === 'recap') return recaps.status(key);
    return content.kind === 'feed' ? feeds.status(key) : posts.status(key);
  }

  /** What the config places in a guild. */
  #configured(guildId: string): Placed[] {
    const { posts, alerts, feeds, recaps, playerAlerts, guildIdOf } = this.#options;
    const all = [
      ...posts.list(),
      ...alerts.list().map(({ servers, down, players, restart, ...placed }) => {
        const content = { kind: 'alerts' as const, servers, rules: { down, players, restart } };
        return { ...placed, content };
      }),
      ...feeds.list().map(({ key, channelId, ...settings }) => {
        return { key, channelId, content: { kind: 'feed' as const, ...settings } };
      }),
      ...recaps.list().map(({ key, channelId, servers = [] }) => {
        return { key, channelId, content: { kind: 'recap' as const, servers } };
      }),
      ...playerAlerts.list().map(({ key, channelId, servers, watched, banned, newPlayers }) => {
        const rules = { watched, banned, newPlayers };
        return { key, channelId, content: { kind: 'alerts' as const, servers, rules } };
      }),
    ];
    return all
      .filter(({ key, channelId }) => !key.startsWith(keyOf('')) && guildIdOf({ key, channelId }) === guildId)
      .map((placed) => {
        const { channelId, content } = placed;
        return { id: null, channelId, content, status: this.#statusOf(guildId, placed) };
      });
  }

  /** Deletes those that `select` names once they are read. */
  async #forget(select: (stored: readonly StoredPlacement[]) => readonly StoredPlacement[]): Promise<void> {
    const { store, log } = this.#options;
    try {
      for (const kept of select(await store.list())) {
        await this.#end(kept, false);
        await this.#drop(kept);
      }
    } catch (error) {
      log.warn({ error: loggable(error) }, 'could not delete placements of members');
    }
  }

  /** @throws when the placements cannot be read */
  async #startStored(): Promise<void> {
    const { store, gateway } = this.#options;
    const joined = new Set(gateway.guilds().map(({ id }) => id));
    const left = (stored: readonly StoredPlacement[]) =>
      stored.filter((kept) => !joined.has(kept.guildId) && !isOver(kept));
    if (left(await store.list()).length > 0) await this.#forget(left);
    for (const kept of await store.list()) if (joined.has(kept.guildId)) this.#start(kept);
  }

  async #startLater(): Promise<void> {
    const { log, signal, readPlacementsMs } = this.#options;
    for (let isRead = false; !isRead;) {
      await delay(readPlacementsMs, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
      isRead = await this.#startStored().then(
        () => true,
        () => false,
      );
    }
    log.info('the placements of members could be read');
  }
}
