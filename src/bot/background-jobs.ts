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
import { loggable } from './discord-error.ts';
import type { Gateway } from './gateway.ts';
import { trackGuildMembership } from './guild-membership.ts';
import { createPlacementStore } from './placement-store.ts';
import { createPlacements, type GuildPlacements } from './placements.ts';
import { createEditBudget } from './posts/edit-budget.ts';
import { configuredPosts, type ConfiguredPosts } from './posts/post-config.ts';
import { startPosts, type PostsOptions } from './posts/posts.ts';
import { createPresence, presenceOf } from './presence.ts';
import { within } from './time-limit.ts';

/** What a config has the bot do by itself. */
export interface BackgroundConfig extends ConfiguredPosts {
  /** Language of posts and alerts; left out: each guild's own. */
  locale?: string | undefined;
  guilds?: readonly GuildConfig[] | undefined;
  alerts?: readonly Omit<AlertConfig, 'key'>[] | undefined;
  /** Default true. */
  presence?: boolean | undefined;
}

/** What is decided for one guild. */
export interface GuildConfig {
  id: string;
  locale?: string | undefined;
  /** IANA zone of charts; left out: the server's. */
  timezone?: string | undefined;
}

/** Waits, all in milliseconds; the defaults are made for Discord as it is. */
export interface BackgroundTiming extends Pick<
  PostsOptions,
  'heartbeatMs' | 'retryMs' | 'staleAfterMs' | 'staggerMs' | 'repostMs'
> {
  /** A channel takes three messages or edits in this time. Default 7 s, a little more than Discord wants. */
  channelWindowMs?: number | undefined;
}

export interface BackgroundOptions extends Clock {
  gateway: Gateway;
  joinedGuildIds: readonly string[];
  rest: REST;
  client: Client;
  ports: Ports;
  /** Whether a guild is one of the owner's; what members placed elsewhere is paused. */
  isHome: (guildId: string) => boolean;
  config: BackgroundConfig;
  /** Must throw when it fails: that is not "absent". */
  keyv: Keyv;
  log: Logger;
  timing: BackgroundTiming;
}

/** How a post fares, for whoever watches the process. */
export interface PostState {
  kind: PostKind;
  state: PostStatus['state'];
}

/** What the bot does without being asked: posts, alerts, its presence. */
export interface BackgroundJobs {
  placements: GuildPlacements;
  /** How every post fares, those of the config and those that members placed. */
  postStates(): PostState[];
  /** Brings every post up to date, now. Never rejects. */
  updatePosts(): Promise<void>;
  /** Looks at the servers, now, for alerts and presence. Never rejects. */
  checkServers(): Promise<void>;
  /** Begins nothing new; what is under way may finish for `ms`, then its requests are cut. */
  stop(ms: number): Promise<void>;
}

const perChannel = 3;
const checkEveryMs = 20_000;

export async function startBackgroundJobs(options: BackgroundOptions): Promise<BackgroundJobs> {
  const { gateway, client, config, keyv, log, monotonic, timing, isHome } = options;
  const { staggerMs = 300, channelWindowMs = 7_000, retryMs = 3_600_000 } = timing;
  const stopping = new AbortController();
  const { signal } = stopping;
  // Everybody who waits for a turn listens to it.
  setMaxListeners(0, signal);
  const budget = createEditBudget({ gapMs: staggerMs, perChannel, windowMs: channelWindowMs });

  const guildConfigOf = (channelId: string) => {
    const guild = gateway.guildOf(channelId);
    return { guild, decided: config.guilds?.find(({ id }) => id === guild?.id) };
  };

  /** The post's own word counts first, then the guild's in the config, the config's, and the guild's own. */
  function languageIn({ channelId, locale }: { channelId: string; locale?: string | undefined }): Language {
    const { guild, decided } = guildConfigOf(channelId);
    return languageOf(locale ?? decided?.locale ?? config.locale ?? guild?.locale ?? defaultLocale);
  }

  /** What the config places is the owner's own decision, wherever it stands. */
  const runs = ({ guildId }: { guildId?: string | undefined }): boolean =>
    guildId === undefined || isHome(guildId);

  const configured = { posts: configuredPosts(config), alerts: configuredAlerts(config.alerts ?? []) };
  const posts = startPosts({
    ...options,
    ...timing,
    retryMs,
    budget,
    accessOf: gateway.accessOf,
    placeOf(post) {
      // Its guild decides how it speaks. Which one that is, the config does not say.
      const isKnown = gateway.guildOf(post.channelId) !== null;
      if (!isKnown && gateway.isUnavailable(post.guildId)) return null;
      const { timezone } = guildConfigOf(post.channelId).decided ?? {};
      return { language: languageIn(post), timezone, paused: !runs(post) };
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
  const placements = createPlacements({
    store: createPlacementStore(keyv),
    posts,
    alerts,
    guildOf,
    isHome,
    log,
  });
  await placements.start(new Set(options.joinedGuildIds));
  const presence = createPresence(gateway.setPresence, monotonic);

  async function check(): Promise<void> {
    const wantsPresence = config.presence ?? true;
    if (!wantsPresence && alerts.list().length === 0) return;
    const answer = await client.listServers().catch((error: unknown) => {
      log.debug({ error: loggable(error) }, 'the servers could not be looked at');
      return null;
    });
    if (signal.aborted) return;
    // What was true a while ago is no news.
    const servers = answer === null || answer.stale ? null : answer.data.servers;
    if (wantsPresence) presence.show(presenceOf(languageOf(config.locale ?? defaultLocale), servers));
    if (servers === null) return;
    const dueInMs = await alerts.look(servers);
    clearTimeout(dueTimer);
    // The regular check comes soon enough for what is due later.
    if (dueInMs < checkEveryMs && !signal.aborted) dueTimer = setTimeout(() => void checkOnce(), dueInMs + 5);
  }

  let dueTimer: NodeJS.Timeout | undefined;
  let checking: Promise<void> | null = null;
  const checkOnce = async (): Promise<void> => {
    checking ??= check()
      .catch((error: unknown) => log.warn({ error: loggable(error) }, 'looking at the servers failed'))
      .finally(() => (checking = null));
    await checking;
  };

  const endFollowing = trackGuildMembership({ gateway, posts, alerts, placements, configured, log });
  const endListening = gateway.on({
    changed: posts.retryBlocked,
    messagesDeleted: posts.deleted,
    channelDeleted: posts.channelDeleted,
    session() {
      presence.forget();
      posts.markUnverified();
    },
  });
  const timer = setInterval(() => void checkOnce(), checkEveryMs);
  void checkOnce();

  return {
    placements,
    postStates: () =>
      posts.list().map(({ key, content }) => ({ kind: content.kind, state: posts.status(key).state })),
    updatePosts: posts.run,
    checkServers: checkOnce,
    async stop(ms) {
      endFollowing();
      endListening();
      clearInterval(timer);
      clearTimeout(dueTimer);
      const checked = within(Promise.resolve(checking), ms).then(() => stopping.abort());
      await Promise.all([posts.stop(ms), checked]);
      await checking;
    },
  };
}
