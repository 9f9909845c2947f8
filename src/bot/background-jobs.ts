import { setMaxListeners } from 'node:events';
import type { REST } from '@discordjs/rest';
import type { Keyv } from 'keyv';
import type { Logger } from 'pino';
import type { Client } from '../api/client-types.ts';
import type { Clock } from '../process/clock.ts';
import type { PostKind, PostStatus } from '../commands/placements.ts';
import type { Ports } from '../commands/ports.ts';
import { defaultLocale, languageOf, type Language } from '../locales/language.ts';
import { configuredAlerts, createAlerts, type AlertConfig } from './alerts/alerts.ts';
import { configuredFeeds, type FeedConfig } from './feeds/feed-config.ts';
import { startFeeds, type FeedsOptions } from './feeds/feeds.ts';
import { loggable } from './loggable.ts';
import type { Gateway } from './gateway.ts';
import { trackGuildMembership } from './guild-membership.ts';
import { onPeopleChange } from './people-changes.ts';
import { createPlacementStore } from './placement-store.ts';
import { createPlacements, type GuildPlacements } from './placements.ts';
import { createEditBudget } from './posts/edit-budget.ts';
import { configuredPosts, type ConfiguredPosts } from './posts/post-config.ts';
import { startPosts, type PostsOptions } from './posts/posts.ts';
import { createPresence, presenceOf } from './presence.ts';
import { within } from './time-limit.ts';

/** The part of the config that concerns posts, alerts and presence. */
export interface BackgroundConfig extends ConfiguredPosts {
  /** Language of posts and alerts; left out: each guild's own. */
  locale?: string | undefined;
  guilds?: readonly GuildConfig[] | undefined;
  alerts?: readonly Omit<AlertConfig, 'key'>[] | undefined;
  killFeeds?: readonly Omit<FeedConfig, 'key'>[] | undefined;
  /** Default true. */
  presence?: boolean | undefined;
}

/** Settings of one guild. */
export interface GuildConfig {
  id: string;
  locale?: string | undefined;
  /** IANA zone of charts; left out: the server's. */
  timezone?: string | undefined;
}

/** All in milliseconds. The defaults fit Discord's limits. */
export interface BackgroundTiming
  extends
    Pick<PostsOptions, 'heartbeatMs' | 'retryMs' | 'staleAfterMs' | 'staggerMs' | 'repostMs'>,
    Pick<FeedsOptions, 'feedPollMs'> {
  /** Three edits per channel in this time, and four messages. Default 7 s and 5.5 s, slightly more than Discord requires. */
  channelWindowMs?: number | undefined;
}

export interface BackgroundOptions extends Clock {
  gateway: Gateway;
  rest: REST;
  client: Client;
  ports: Ports;
  /** Whether a guild is a home guild. What members placed in other guilds is paused. */
  isHome: (guildId: string) => boolean;
  config: BackgroundConfig;
  /** Must throw on failure, so that a failure is not read as "absent". */
  keyv: Keyv;
  log: Logger;
  timing: BackgroundTiming;
}

/** The state of one post or kill feed, for metrics. A feed that works counts as shown. */
export interface PostState {
  kind: PostKind | 'feed';
  state: PostStatus['state'];
}

/** What the bot does on its own: posts, alerts, kill feeds and presence. */
export interface BackgroundJobs {
  placements: GuildPlacements;
  /** The states of all posts and kill feeds, from the config and from members. */
  postStates(): PostState[];
  /** Updates every post now. Never rejects. */
  updatePosts(): Promise<void>;
  /** Checks the servers now, for alerts and presence. Never rejects. */
  checkServers(): Promise<void>;
  /** Posts what is due in kill feeds. Never rejects. */
  runFeeds(): Promise<void>;
  /** Starts nothing new. Running work gets `ms` to finish, then its requests are aborted. */
  stop(ms: number): Promise<void>;
}

const perChannel = 3;
const messagesPerChannel = 4;
const messageWindowMs = 5_500;
const checkEveryMs = 20_000;

export async function startBackgroundJobs(options: BackgroundOptions): Promise<BackgroundJobs> {
  const { gateway, client, config, keyv, log, monotonic, timing, isHome } = options;
  const { staggerMs = 300, channelWindowMs = 7_000, retryMs = 3_600_000 } = timing;
  const stopping = new AbortController();
  const { signal } = stopping;
  // Every waiting post and alert adds a listener.
  setMaxListeners(0, signal);
  const messages = { perChannel: messagesPerChannel, windowMs: timing.channelWindowMs ?? messageWindowMs };
  const budget = createEditBudget({ gapMs: staggerMs, perChannel, windowMs: channelWindowMs, messages });

  const guildConfigOf = (channelId: string) => {
    const guild = gateway.guildOf(channelId);
    return { guild, decided: config.guilds?.find(({ id }) => id === guild?.id) };
  };

  /** In this order: the post's own language, the guild's in the config, the config's, the guild's on Discord. */
  function languageIn({ channelId, locale }: { channelId: string; locale?: string | undefined }): Language {
    const { guild, decided } = guildConfigOf(channelId);
    return languageOf(locale ?? decided?.locale ?? config.locale ?? guild?.locale ?? defaultLocale);
  }

  /** Posts and alerts from the config run in every guild. */
  const runs = ({ guildId }: { guildId?: string | undefined }): boolean =>
    guildId === undefined || isHome(guildId);

  /** Another process may be connected as the shard of a channel that is unknown here, and post there. */
  const isHere = ({ channelId }: { channelId: string }): boolean =>
    gateway.isComplete() || gateway.guildOf(channelId) !== null;
  const configured = {
    posts: configuredPosts(config).filter(isHere),
    alerts: configuredAlerts(config.alerts ?? []).filter(isHere),
    feeds: configuredFeeds(config.killFeeds ?? []).filter(isHere),
  };
  const posts = startPosts({
    ...options,
    ...timing,
    retryMs,
    budget,
    accessOf: gateway.accessOf,
    placeOf(post) {
      // The guild decides the language, and only Discord knows which guild a channel belongs to.
      const isKnown = gateway.guildOf(post.channelId) !== null;
      if (!isKnown && gateway.isUnavailable(post.guildId)) return null;
      const { guild, decided } = guildConfigOf(post.channelId);
      const place = { language: languageIn(post), timezone: decided?.timezone };
      return { ...place, isHome: guild !== null && isHome(guild.id), paused: !runs(post) };
    },
    posts: configured.posts,
  });
  const alerts = createAlerts(configured.alerts, {
    ...options,
    budget,
    accessOf: gateway.accessOf,
    languageOf: languageIn,
    runs,
    retryMs,
    signal,
  });
  const { guildOf } = gateway;
  const feeds = startFeeds(configured.feeds, {
    ...options,
    ...timing,
    ...gateway,
    deaths: options.ports.deaths,
    budget,
    retryMs,
    placeOf(feed, askedGuildId) {
      const guildId = guildOf(feed.channelId)?.id ?? askedGuildId;
      if (guildId === null) return gateway.isUnavailable(feed.guildId) ? 'unavailable' : 'unknown';
      // Names and kills from logs are for home guilds only, also where the config names the channel.
      return { language: languageIn(feed), paused: !isHome(guildId) };
    },
  });
  const placements = createPlacements({
    store: createPlacementStore(keyv),
    posts,
    alerts,
    feeds,
    guildOf,
    isHome,
    log,
  });
  const joined = new Set(gateway.guilds().map(({ id }) => id));
  await placements.start({ isServed: gateway.serves, isJoined: (guildId) => joined.has(guildId) });
  const presence = createPresence(gateway.setPresence, monotonic);

  async function check(): Promise<void> {
    const wantsPresence = config.presence ?? true;
    if (!wantsPresence && alerts.list().length === 0) return;
    const answer = await client.listServers().catch((error: unknown) => {
      log.debug({ error: loggable(error) }, 'could not read the servers');
      return null;
    });
    if (signal.aborted) return;
    // A stale answer must not trigger alerts.
    const servers = answer === null || answer.stale ? null : answer.data.servers;
    if (wantsPresence) presence.show(presenceOf(languageOf(config.locale ?? defaultLocale), servers));
    if (servers === null) return;
    const dueInMs = await alerts.check(servers);
    clearTimeout(dueTimer);
    // Alerts that are due later are covered by the regular check.
    if (dueInMs < checkEveryMs && !signal.aborted) dueTimer = setTimeout(() => void checkOnce(), dueInMs + 5);
  }

  let dueTimer: NodeJS.Timeout | undefined;
  let checking: Promise<void> | null = null;
  const checkOnce = async (): Promise<void> => {
    checking ??= check()
      .catch((error: unknown) =>
        log.warn({ error: loggable(error) }, 'could not check the servers for alerts'),
      )
      .finally(() => (checking = null));
    await checking;
  };

  const untrackGuilds = trackGuildMembership({ gateway, posts, alerts, feeds, placements, configured, log });
  const removeListeners = gateway.on({
    changed: posts.retryBlocked,
    messagesDeleted: posts.deleted,
    channelDeleted: posts.channelDeleted,
    session() {
      presence.forget();
      posts.markUnverified();
    },
  });
  const stopWatching = onPeopleChange(options.ports.people, () => {
    void posts.run();
    void feeds.reword();
  });
  // Players may have been forgotten while the bot was away, and the feed removed.
  void feeds.reword();
  const timer = setInterval(() => void checkOnce(), checkEveryMs);
  void checkOnce();

  return {
    placements,
    postStates: () => [
      ...posts.list().map(({ key, content }) => ({ kind: content.kind, state: posts.status(key).state })),
      ...feeds
        .list()
        .map(({ key }) => ({ kind: 'feed' as const, state: feeds.status(key)?.state ?? ('shown' as const) })),
    ],
    updatePosts: posts.run,
    checkServers: checkOnce,
    runFeeds: feeds.run,
    async stop(ms) {
      untrackGuilds();
      stopWatching();
      removeListeners();
      clearInterval(timer);
      clearTimeout(dueTimer);
      const checked = within(Promise.resolve(checking), ms).then(() => stopping.abort());
      await Promise.all([posts.stop(ms), feeds.stop(ms), checked]);
      await checking;
    },
  };
}
