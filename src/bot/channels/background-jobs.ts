import { setMaxListeners } from 'node:events';
import type { REST } from '@discordjs/rest';
import type { Keyv } from 'keyv';
import type { Logger } from 'pino';
import type { Server } from '../../api/resources.ts';
import type { Clock } from '../../process/clock.ts';
import type { PostKind, PostStatus } from '../../commands/placements.ts';
import type { Deaths, People } from '../../commands/ports.ts';
import { defaultLocale, languageOf, type Language } from '../../locales/language.ts';
import { configuredAlerts, createAlerts, type AlertConfig, type ObservedProject } from './alerts/alerts.ts';
import { configuredFeeds, type FeedConfig } from './feeds/feed-config.ts';
import { startFeeds, type FeedsOptions } from './feeds/feeds.ts';
import { loggable } from '../loggable.ts';
import type { ChannelGuilds } from './channel-guilds.ts';
import type { Gateway } from '../gateway/gateway.ts';
import { guildSettings, type GuildConfig } from '../guild-settings.ts';
import { trackGuildMembership } from './guild-membership.ts';
import { onPeopleChange } from './people-changes.ts';
import { createPlacementStore, type ChangeValue } from './placement-store.ts';
import { createPlacements, type GuildPlacements } from './placements.ts';
import { createEditBudget } from './edit-budget.ts';
import { configuredPosts, type ConfiguredPosts } from './posts/post-config.ts';
import { gapBetween, startPosts, type PostsOptions } from './posts/posts.ts';
import { createPresence, presenceOf } from '../gateway/presence.ts';
import type { BotProject } from '../shown-project.ts';
import { within } from '../../process/time-limit.ts';

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

/** All in milliseconds. The defaults fit Discord's limits. */
export interface BackgroundTiming
  extends
    Pick<PostsOptions, 'heartbeatMs' | 'retryMs' | 'staleAfterMs' | 'staggerMs' | 'repostMs'>,
    Pick<FeedsOptions, 'feedPollMs'> {
  /** Three edits per channel in this time, and four messages. Default 7 s and 5.5 s, slightly more than Discord requires. */
  channelWindowMs?: number | undefined;
  /** Between two attempts to read what members placed. Default: 5 s. */
  readPlacementsMs?: number | undefined;
}

export interface BackgroundOptions extends Clock {
  gateway: Gateway;
  channelGuilds: ChannelGuilds;
  rest: REST;
  /** The project that a guild shows; null: none. */
  projectOf: (guildId: string | null) => BotProject | null;
  /** Whether guilds show different projects. */
  areSeveral: () => boolean;
  /** Of all projects. Left out: there are no kill feeds. */
  deaths?: Deaths | undefined;
  people?: People | undefined;
  /** Whether a guild is a home guild. What members placed in other guilds is paused. */
  isHome: (guildId: string) => boolean;
  /** Read at each use. Jobs are started again when anything but `guilds` changes. */
  config: () => BackgroundConfig;
  /** Must throw on failure, so that a failure is not read as "absent". */
  keyv: Keyv;
  /** Changes a value of `keyv`. Default: this process is alone. */
  changeValue?: ChangeValue | undefined;
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
  /** Updates the posts of guilds whose settings or project changed. */
  guildsChanged(guildIds: ReadonlySet<string>): void;
  /** Starts nothing new. Running work gets `ms` to finish, then its requests are aborted. */
  stop(ms: number): Promise<void>;
}

/** What is placed in a channel. `guildId`: where a member placed it; left out: the config places it. */
type Placed = { channelId: string; guildId?: string | undefined };

const perChannel = 3;
const messagesPerChannel = 4;
const messageWindowMs = 5_500;
const checkEveryMs = 20_000;
const readAtOnce = 8;

export async function startBackgroundJobs(options: BackgroundOptions): Promise<BackgroundJobs> {
  const { gateway, channelGuilds, projectOf, keyv, log, monotonic, timing, isHome } = options;
  const config = options.config();
  const { staggerMs = 300, channelWindowMs = 7_000, retryMs = 3_600_000 } = timing;
  const stopping = new AbortController();
  const { signal } = stopping;
  // Every waiting post and alert adds a listener.
  setMaxListeners(0, signal);
  const messages = { perChannel: messagesPerChannel, windowMs: timing.channelWindowMs ?? messageWindowMs };
  const budget = createEditBudget({
    gapMs: () => gapBetween(posts.count(), staggerMs),
    perChannel,
    windowMs: channelWindowMs,
    messages,
  });

  const guildConfigOf = (channelId: string) => {
    const guild = gateway.guildOf(channelId);
    return { guild, decided: guild === null ? undefined : guildSettings(options.config().guilds, guild.id) };
  };

  /** In this order: the post's own language, the guild's in the config, the config's, the guild's on Discord. */
  function languageIn({ channelId, locale }: { channelId: string; locale?: string | undefined }): Language {
    const { guild, decided } = guildConfigOf(channelId);
    return languageOf(locale ?? decided?.locale ?? config.locale ?? guild?.locale ?? defaultLocale);
  }

  const guildIdOf = ({ channelId, guildId }: Placed): string | null =>
    gateway.guildOf(channelId)?.id ?? guildId ?? channelGuilds.known(channelId) ?? null;

  /** Null where the guild of the channel is not known and guilds show different projects. */
  const projectIn = (at: Placed): BotProject | null => {
    const guildId = guildIdOf(at);
    return guildId === null && options.areSeveral() ? null : projectOf(guildId);
  };

  /** Posts and alerts from the config run in every guild. */
  const runs = ({ guildId }: Placed): boolean => guildId === undefined || isHome(guildId);

  const logged = new Set<string>();
  /** Whether servers of a post, alerts or a feed belong to another project than its guild shows. Logged once each. */
  function isForeign(
    project: BotProject,
    { key, channelId }: Placed & { key: string },
    servers: readonly string[],
  ) {
    const are = project.areForeign(servers);
    if (are && !logged.has(key)) {
      log.error(
        { channelId, servers },
        'nothing is posted: these servers belong to another project than the Discord server of the channel shows; post servers of its project there, or set its project in discord.guilds',
      );
    }
    if (are) logged.add(key);
    else logged.delete(key);
    return are;
  }

  /** Another process may be connected as the shard of a channel that is unknown here. What is here is found out later. */
  const isHere = ({ channelId }: { channelId: string }): boolean =>
    gateway.isComplete() || gateway.guildOf(channelId) !== null;
  const configured = {
    posts: configuredPosts(config),
    alerts: configuredAlerts(config.alerts ?? []),
    feeds: configuredFeeds(config.killFeeds ?? []),
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
      if (!isKnown && gateway.isUnavailable(guildIdOf(post) ?? undefined)) return null;
      const project = projectIn(post);
      if (project === null) return null;
      const { guild, decided } = guildConfigOf(post.channelId);
      const place = { language: languageIn(post), timezone: decided?.timezone, project };
      const { content } = post;
      return {
        ...place,
        isHome: guild !== null && isHome(guild.id),
        paused: !runs(post),
        isForeign: content.kind !== 'leaderboard' && isForeign(project, post, content.servers),
      };
    },
    posts: configured.posts.filter(isHere),
  });
  const alerts = createAlerts(configured.alerts.filter(isHere), {
    ...options,
    budget,
    accessOf: gateway.accessOf,
    languageOf: languageIn,
    runs(alert) {
      const project = projectIn(alert);
      return runs(alert) && project !== null && !isForeign(project, alert, alert.servers);
    },
    retryMs,
    signal,
  });
  const { guildOf } = gateway;
  const feeds = startFeeds(configured.feeds.filter(isHere), {
    ...options,
    ...timing,
    ...gateway,
    configuredKeys: configured.feeds.map(({ key }) => key),
    budget,
    retryMs,
    placeOf(feed, askedGuildId) {
      const guildId = guildOf(feed.channelId)?.id ?? askedGuildId;
      if (guildId === null)
        return gateway.isUnavailable(guildIdOf(feed) ?? undefined) ? 'unavailable' : 'unknown';
      const project = projectOf(guildId);
      if (project === null) return 'unavailable';
      // Names and kills from logs are for home guilds only, also where the config names the channel.
      const paused = !isHome(guildId) || isForeign(project, feed, feed.servers);
      return { language: languageIn(feed), paused, project };
    },
  });
  const placements = createPlacements({
    store: createPlacementStore(keyv, options.changeValue),
    posts,
    alerts,
    feeds,
    guildOf,
    isHome,
    areForeign: (guildId, servers) => projectOf(guildId)?.areForeign(servers) ?? false,
    log,
    signal,
    readAgainMs: timing.readPlacementsMs ?? 5_000,
  });
  const joinedIds = () => new Set(gateway.guilds().map(({ id }) => id));
  await placements.start({ isServed: gateway.serves, joinedIds });
  const presence = createPresence(gateway.setPresence, monotonic);

  /** Null: they could not be read. A stale answer must not trigger alerts. */
  async function readServers({ client }: BotProject): Promise<readonly Server[] | null> {
    const answer = await client.listServers().catch((error: unknown) => {
      log.debug({ error: loggable(error) }, 'could not read the servers');
      return null;
    });
    return answer === null || answer.stale ? null : answer.data.servers;
  }

  async function check(): Promise<void> {
    // There is one presence for all guilds, so it shows nothing of a project that is not theirs.
    const whole = (config.presence ?? true) && !options.areSeveral() ? projectOf(null) : null;
    const running = alerts.list().filter(runs);
    const projects = new Set([...running.map(projectIn), whole].filter((project) => project !== null));
    const servers = new Map<BotProject, readonly Server[] | null>();
    const read = async (project: BotProject) => void servers.set(project, await readServers(project));
    // Some at a time, so that the service answers others in between.
    for (let rest = [...projects]; rest.length > 0 && !signal.aborted; rest = rest.slice(readAtOnce)) {
      await Promise.all(rest.slice(0, readAtOnce).map(read));
    }
    if (signal.aborted) return;
    if (whole !== null) {
      presence.show(presenceOf(languageOf(config.locale ?? defaultLocale), servers.get(whole) ?? null));
    }
    const observed = new Map<BotProject, ObservedProject | null>();
    for (const [project, known] of servers) {
      observed.set(project, known === null ? null : { project, servers: known });
    }
    const dueInMs = await alerts.check((alert) => {
      const project = projectIn(alert);
      return project === null ? null : (observed.get(project) ?? null);
    });
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

  const jobs = { posts, alerts, feeds, placements };
  const untrackGuilds = trackGuildMembership({ ...options, ...jobs, configured });
  const removeListeners = gateway.on({
    changed: posts.retryBlocked,
    messagesDeleted: posts.deleted,
    channelDeleted: posts.channelDeleted,
    session() {
      presence.forget();
      posts.markUnverified();
    },
  });
  const stopWatching = onPeopleChange(options.people, () => {
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
    guildsChanged(guildIds) {
      posts.refresh(({ channelId }) => guildIds.has(gateway.guildOf(channelId)?.id ?? ''));
    },
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
