import { setMaxListeners } from 'node:events';
import {
  hasPlayerRules,
  hasServerRules,
  type PostKind,
  type PostStatus,
} from '../../commands/ports/placements.ts';
import { within } from '../../process/time-limit.ts';
import { Alerts } from './alerts/alerts.ts';
import { cardMessages, type CardMessage } from './cards/card-messages.ts';
import { defaultTiming, type BackgroundOptions, type JobOptions } from './background-options.ts';
import { EditBudget } from './edit-budget.ts';
import { Feeds } from './feeds/feeds.ts';
import { GuildMembership, jobsOf } from './guild-membership.ts';
import { GuildContexts } from './guild-contexts.ts';
import { cachedMs, onUnlistedChange } from './unlisted-changes.ts';
import { keyed, type PlacedConfig } from './placed-config.ts';
import { KeptMessages } from './kept-messages.ts';
import { NamedPlayers } from './named-players.ts';
import { PlacementStore } from './placement-store.ts';
import { GuildPlacements } from './placements.ts';
import { configuredPosts } from './posts/post-config.ts';
import { Posts } from './posts/posts.ts';
import { deleteRemovedPosts } from './posts/removed-posts.ts';
import { Recaps } from './recaps/recaps.ts';
import { MemberRoles } from './roles/member-roles.ts';
import { ServerChecks } from './server-checks.ts';
import { alertMessages, type AlertMessage } from './watch/alert-messages.ts';
import { PlayerAlerts } from './watch/player-alerts.ts';
import { count } from '../../process/count.ts';

/** The state of one post, kill feed or recap, for metrics. A feed or recap that works counts as shown. */
export interface PostState {
  kind: PostKind | 'feed' | 'recap';
  state: PostStatus['state'];
}

const perChannel = 3;
const messagesPerChannel = 4;
const messageWindowMs = 5_500;

/** What the bot does on its own: posts, alerts, kill feeds and presence. */
export class BackgroundJobs {
  readonly placements: GuildPlacements;
  readonly posts: Posts;
  readonly feeds: Feeds;
  readonly recaps: Recaps;
  readonly roles: MemberRoles;
  readonly playerAlerts: PlayerAlerts;
  readonly checks: ServerChecks;
  readonly #cards: NamedPlayers<CardMessage>;
  readonly #alerts: NamedPlayers<AlertMessage>;
  /** Deletes the messages of posts that the config no longer has. */
  readonly #removal: Promise<void>;
  readonly #options: BackgroundOptions;
  /** Each ends a subscription. */
  readonly #unsubscribe: readonly (() => void)[];
  /** Ends requests to Discord. */
  readonly #stopping = new AbortController();

  /** Starts posts, alerts and kill feeds of the config. */
  constructor(options: BackgroundOptions) {
    const { gateway, unlisted } = options;
    const timing = { ...defaultTiming, ...options.timing };
    const { channelWindowMs } = timing;
    const { signal } = this.#stopping;
    // Every waiting post and alert adds a listener.
    setMaxListeners(0, signal);
    const budget = new EditBudget({
      gapMs: () => posts.gapMs,
      perChannel,
      windowMs: channelWindowMs ?? 7_000,
      messages: { perChannel: messagesPerChannel, windowMs: channelWindowMs ?? messageWindowMs },
    });
    const shared: JobOptions = { ...options, ...timing, signal, budget };
    const contexts = new GuildContexts(shared);
    const config = options.config();
    const configured = {
      posts: configuredPosts(config),
      alerts: keyed(() => 'alert', config.alerts).filter(hasServerRules),
      feeds: keyed(() => 'feed', config.killFeeds),
      recaps: keyed(() => 'recap', config.recapPosts),
      playerAlerts: keyed(() => 'player-alert', config.alerts?.filter(hasPlayerRules)),
    };
    const posts = new Posts({ ...shared, contextOf: async (post) => await contexts.ofPost(post) });
    const alerts = new Alerts({
      ...shared,
      languageOf: async (alert) => await contexts.languageOf(alert),
      runs: (alert) => contexts.runsAlert(alert),
    });
    const asFeeds = (all: readonly PlacedConfig[]) => ({
      ...shared,
      configuredKeys: all.map(({ key }) => key),
      contextOf: (placed: Parameters<GuildContexts['ofFeed']>[0]) => contexts.ofFeed(placed),
    });
    const feeds = new Feeds(asFeeds(configured.feeds));
    const recaps = new Recaps(asFeeds(configured.recaps));
    const named = new NamedPlayers(alertMessages, {
      ...shared,
      messages: new KeptMessages('player-alert-messages', options.keyv),
    });
    const playerAlerts = new PlayerAlerts({
      ...asFeeds(configured.playerAlerts),
      posted: async (message) => await named.add(message),
    });
    const placements = new GuildPlacements({
      ...shared,
      posts,
      alerts,
      feeds,
      recaps,
      playerAlerts,
      store: new PlacementStore(options.keyv),
      guildIdOf: (placed) => contexts.guildIdOf(placed),
    });
    const roles = new MemberRoles(config.roles ?? [], shared);
    const cards = new NamedPlayers(cardMessages, { ...shared, messages: options.cards });
    const checks = new ServerChecks({ ...shared, alerts, contexts });
    const jobs = [
      ...jobsOf(posts, configured.posts),
      ...jobsOf(alerts, configured.alerts),
      ...jobsOf(feeds, configured.feeds),
      ...jobsOf(recaps, configured.recaps),
      ...jobsOf(playerAlerts, configured.playerAlerts),
    ];
    const membership = new GuildMembership({ ...shared, jobs, placements });
    if (posts.list().length > 0) options.log.info(`keeping ${count(posts.list().length, 'post')} up to date`);
    this.#unsubscribe = [
      gateway.on({
        joined: (guildId) => membership.joined(guildId),
        left(guildId) {
          void membership.left(guildId);
          void roles.left(guildId);
        },
        changed(guildId) {
          membership.changed();
          posts.retryBlocked();
          roles.changed(guildId);
        },
        messagesDeleted: (messageIds) => posts.deleted(messageIds),
        channelDeleted: (channelId) => posts.channelDeleted(channelId),
        session() {
          checks.forgetPresence();
          posts.markUnverified();
        },
      }),
      onUnlistedChange(unlisted, () => {
        void posts.run();
        void feeds.reword();
        void recaps.reword();
        void cards.run();
        void named.run();
        void roles.run();
      }),
    ];
    this.placements = placements;
    this.posts = posts;
    this.feeds = feeds;
    this.recaps = recaps;
    this.playerAlerts = playerAlerts;
    this.checks = checks;
    this.roles = roles;
    this.#cards = cards;
    this.#alerts = named;
    this.#removal = deleteRemovedPosts({
      ...shared,
      configuredKeys: configured.posts.map(({ key }) => key),
    });
    this.#options = options;
  }

  /** Starts what members placed, then the checks. */
  async start(): Promise<void> {
    await this.placements.start();
    // Players may have been forgotten while the bot was away, and the feed removed.
    void this.feeds.reword();
    void this.#cards.run();
    void this.#alerts.run();
    void this.roles.run();
    this.checks.start();
  }

  /** The states of all posts and kill feeds, from the config and from members. */
  postStates(): PostState[] {
    const { posts, feeds, recaps } = this;
    const stateOf = (status: PostStatus | null) => status?.state ?? 'shown';
    return [
      ...posts.list().map(({ key, content: { kind } }) => ({ kind, state: stateOf(posts.status(key)) })),
      ...feeds.list().map(({ key }) => ({ kind: 'feed' as const, state: stateOf(feeds.status(key)) })),
      ...recaps.list().map(({ key }) => ({ kind: 'recap' as const, state: stateOf(recaps.status(key)) })),
    ];
  }

  /** After a reload of the config. @param guildIds whose settings or project changed: their posts are updated at once */
  configChanged(guildIds: ReadonlySet<string>): void {
    void this.#cards.run();
    void this.#alerts.run();
    this.posts.refresh(({ channelId }) => guildIds.has(this.#options.gateway.guildOf(channelId)?.id ?? ''));
    // All others show names of servers and schedules.
    setTimeout(() => this.posts.refresh(() => true), cachedMs).unref();
  }

  /** Starts nothing new. Running work gets `ms` to finish, then its requests are aborted. */
  async stop(ms: number): Promise<void> {
    for (const end of this.#unsubscribe) end();
    const { posts, feeds, recaps, playerAlerts, roles, checks } = this;
    const jobs = [posts, feeds, recaps, playerAlerts, roles, checks, this.#cards, this.#alerts];
    const ended = Promise.all([this.#removal, ...jobs.map((job) => job.stop())]);
    await within(ended, ms);
    this.#stopping.abort();
    await ended;
  }
}
