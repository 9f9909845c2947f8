import { isDeepStrictEqual } from 'node:util';
import { Routes, type APIGatewayBotInfo } from 'discord.js';
import { Keyv } from 'keyv';
import type { Logger } from 'pino';
import { systemClock, type Clock } from '../process/clock.ts';
import type { Ports } from '../commands/ports.ts';
import { loggable } from './loggable.ts';
import {
  startBackgroundJobs,
  type PostState,
  type BackgroundJobs,
  type BackgroundConfig,
  type BackgroundTiming,
} from './background-jobs.ts';
import { createChannelGuilds } from './channel-guilds.ts';
import { clockAhead } from './clock-ahead.ts';
import { createCurrentJobs } from './current-jobs.ts';
import { createDispatch, type AnswerSettings, type DispatchOptions } from './dispatch.ts';
import { createGateway, type Gateway } from './gateway.ts';
import { changedGuilds } from './guild-settings.ts';
import { createHomeGuilds } from './home-guilds.ts';
import { createIdentifyBudget } from './identify-budget.ts';
import type { ChangeValue } from './placement-store.ts';
import { createPlayerLinks } from './player-links.ts';
import { createRegistration, type Registration } from './registration.ts';
import { createRest } from './rest.ts';
import type { BotProject, GuildProjects, ShownProject } from './shown-project.ts';
import { keepHeapSmall } from '../process/small-heap.ts';
import type { ShardFigures } from './shards/held-shard.ts';
import { SessionStore } from './shards/session-store.ts';
import { leasesOfOneProcess, type ShardLeases } from './shards/shard-leases.ts';
import { within } from './time-limit.ts';

export interface BotConfig extends AnswerSettings, BackgroundConfig {
  /** Commands only in these guilds; empty: everywhere. */
  guildIds: readonly string[];
  /** Whether the process keeps serving after Discord refused the bot. Default true. */
  keepServing?: boolean | undefined;
}

/** What can change while the bot runs. */
export interface BotSettings {
  projects: GuildProjects;
  config: BotConfig;
}

export interface BotOptions extends BotSettings {
  token: string;
  /**
   * What the bot has besides the service, for all projects. Those of a project come first. It stores the links between
   * members and players itself.
   */
  ports?: Ports | undefined;
  /** Small state, such as message ids and player links. It is set to throw on failure, so that a failure is not read as "absent". */
  keyv: Keyv;
  /** The sessions of its shards, from which the next start or another process goes on. Default: they are not kept. */
  sessions?: Keyv | undefined;
  /** `keyv` and `sessions`, for what holds leases: a write fails once another process has one. Default: they are the same. */
  fenced?: FencedValues | undefined;
  /** Default: this process is alone. */
  leases?: ShardLeases | undefined;
  log: Logger;
  /** Discord's REST API, ending in `/api`. Default: Discord's own. */
  apiUrl?: string | undefined;
  now?: Clock['now'] | undefined;
  monotonic?: Clock['monotonic'] | undefined;
  timing?: BotTiming | undefined;
  /** Called when Discord refuses the bot, at the start or later. */
  onRefused?: (() => void) | undefined;
}

/** What the bot stores, as work may use it that holds leases. */
export interface FencedValues extends Record<'keyv' | 'sessions', (leases: readonly string[]) => Keyv> {
  /** Changes a value of `keyv`. Left out: no other process does. */
  changeValue?: (leases: readonly string[]) => ChangeValue;
}

/** All in milliseconds. The defaults fit Discord's limits. */
export interface BotTiming
  extends
    Pick<
      DispatchOptions,
      'deferAfterMs' | 'answerWithinMs' | 'completeWithinMs' | 'memberRate' | 'completionRate' | 'queueBounds'
    >,
    BackgroundTiming {
  /** First delay before reconnecting. It doubles up to two minutes. */
  reconnectMs?: number | undefined;
  /** Pause between two writes of a session. Default: 10 s. */
  recordMs?: number | undefined;
  /** How often shards are tried to be taken that other processes hold. Default: 1 s. */
  takeEveryMs?: number | undefined;
  /** First delay before registering the commands again. It doubles up to five minutes. */
  registerRetryMs?: number | undefined;
  /** How long a session lasts until its login counts as a good one. Default: 10 minutes. */
  sessionLastsMs?: number | undefined;
  /** How long a stop waits for work in flight. */
  settleMs?: number | undefined;
}

export interface Bot {
  /**
   * `ready`: connected, posts running, registration of the commands attempted at least once. `refused`: Discord refused the
   * bot, which is logged, and nothing of it runs. `stopped`: stopped before either. Waits while Discord is unreachable.
   * Never rejects.
   */
  ready: Promise<'ready' | 'refused' | 'stopped'>;
  /** Whether Discord refused the bot. */
  readonly isRefused: boolean;
  /**
   * Applies new settings without reconnecting, so that no command is lost. Answers in flight keep the old settings.
   * Resolves when posts and alerts run with the new ones.
   */
  change(settings: BotSettings): Promise<void>;
  /** The states of its posts; empty before it is connected. */
  postStates(): PostState[];
  /** Updates every post now. */
  updatePosts(): Promise<void>;
  /** Checks the servers now, for alerts and presence. */
  checkServers(): Promise<void>;
  /** Posts what is due in kill feeds. */
  runFeeds(): Promise<void>;
  /** The shards that this process holds. */
  shards(): ShardFigures[];
  /**
   * Stops posts and cron, closes the connection and lets answers in flight finish. `keep`, the default where
   * sessions are kept: the next start goes on with the session, and the bot appears online for some minutes. `end`: it goes
   * offline.
   */
  stop(session?: 'keep' | 'end'): Promise<void>;
}

/** A member waits for it. */
const clockWaitMs = 1_500;
/** How long posts wait for the first registration of the commands. */
const headStartMs = 1_000;

/** Starts the bot and returns at once. The process and the service keep running whatever Discord does. */
export async function startBot(options: BotOptions): Promise<Bot> {
  const { token, apiUrl, log, timing = {} } = options;
  const keyv = throwing(options.keyv);
  const { sessions = new Keyv() } = options;
  const fenced: FencedValues = options.fenced ?? { keyv: () => keyv, sessions: () => sessions };
  let settings: BotSettings = options;
  const { now = systemClock.now, monotonic = systemClock.monotonic } = options;
  const settleMs = timing.settleMs ?? 3_000;
  keepHeapSmall();
  const stopping = new AbortController();
  let startJobs: (() => Promise<BackgroundJobs>) | undefined;
  const jobs = createCurrentJobs({ start: () => startJobs?.(), settleMs, log, signal: stopping.signal });
  const ports: Ports = {
    placements: () => jobs.now?.placements ?? null,
    permissionsIn: (channelId) => gateway.permissionsIn(channelId),
    clockAheadMs: async () => await clockAhead(createRest({ token, apiUrl, timeoutMs: clockWaitMs }), now),
    ...options.ports,
  };
  let isRefused = false;
  const opened = new WeakMap<ShownProject, BotProject>();
  const projectOf = (guildId: string | null): BotProject | null => {
    const shown = settings.projects.of(guildId);
    if (shown === null) return null;
    let project = opened.get(shown);
    if (project === undefined) {
      const { clientAs, areForeign = () => false } = shown;
      const links = createPlayerLinks(keyv, () => shown.linkScope);
      project = {
        client: clientAs('duties'),
        clientAs,
        areForeign,
        ports: { links, ...ports, ...shown.ports },
      };
      opened.set(shown, project);
    }
    return project;
  };
  const homes = createHomeGuilds({ named: () => settings.config, gateway: () => gateway, log });
  const parts = { projectOf, keyv, log, now, monotonic, timing, isHome: homes.isHome };
  const dispatch = createDispatch({ ...parts, ...timing, settings: () => settings.config });
  let registration: Registration | undefined;
  const rest = createRest({ token, apiUrl });
  const channelGuilds = createChannelGuilds(rest);
  const { leases = leasesOfOneProcess() } = options;
  const readInformation = async () => (await rest.get(Routes.gatewayBot())) as APIGatewayBotInfo;
  const identifies = createIdentifyBudget({
    token,
    keyv,
    leases,
    log,
    now,
    monotonic,
    shardCount: () => gateway.shardCount(),
    readLimit: readInformation,
    lastsMs: timing.sessionLastsMs,
  });
  const gateway: Gateway = createGateway({
    ...timing,
    token,
    apiUrl,
    log,
    now,
    monotonic,
    leases,
    identifies,
    readInformation,
    sessions: new SessionStore(sessions),
    sessionsUnder: (lease) => new SessionStore(fenced.sessions([lease])),
    onInteraction: (interaction, replayed) => dispatch.handle(interaction, replayed),
  });

  async function refused(refusal: string): Promise<void> {
    const consequence =
      (settings.config.keepServing ?? true)
        ? 'The bot is off; the service keeps running.'
        : 'Outpost stops. Set keepServing: true in the config to keep the service running without the bot.';
    isRefused = true;
    log.error(`Discord refuses the bot: ${refusal}. ${consequence}`);
    options.onRefused?.();
    await jobs.now?.stop(0);
    await gateway.disconnect('end');
    await gateway.destroy();
  }

  async function start(): Promise<'ready' | 'refused' | 'stopped'> {
    gateway.on({ session: identifies.opened });
    const outcome = await gateway.connect();
    if (outcome === 'stopped' || stopping.signal.aborted) return 'stopped';
    if ('refused' in outcome) {
      await refused(outcome.refused);
      return 'refused';
    }
    gateway.onRefused((refusal) => void refused(refusal));
    const { application, user } = outcome.ready;
    const joinedGuildIds = () => gateway.guilds().map(({ id }) => id);
    log.info(`the bot is online as ${user.username} in ${joinedGuildIds().length} guilds`);
    homes.review();
    const commands = createRegistration({
      token,
      apiUrl,
      applicationId: application.id,
      guildIds: () => settings.config.guildIds,
      // Null: this process knows a part of the guilds.
      joinedGuildIds: () => (gateway.isComplete() ? joinedGuildIds() : undefined),
      log,
      signal: stopping.signal,
      firstWaitMs: timing.registerRetryMs,
    });
    const registerOnce = onceFor(() => gateway.isFirst(), commands.run);
    registration = { ...commands, run: async () => (gateway.isFirst() ? await commands.run() : undefined) };
    const registered = registerOnce();
    gateway.on({
      left: homes.review,
      changed: commands.guildChanged,
      joined(guildId) {
        homes.review();
        // The process with the first shard does not hear of it.
        if (settings.config.guildIds.includes(guildId)) void commands.run();
      },
      async shards() {
        homes.review();
        void registerOnce();
        await jobs.restart();
      },
    });
    // Before the posts, so that both do not compete for Discord's limits. Registration can fail for minutes, hence the bound.
    await within(registered, headStartMs);
    startJobs = () =>
      startBackgroundJobs({
        ...parts,
        keyv: throwing(fenced.keyv(gateway.heldLeases())),
        changeValue: fenced.changeValue?.(gateway.heldLeases()),
        areSeveral: () => settings.projects.areSeveral(),
        deaths: ports.deaths,
        people: ports.people,
        config: () => settings.config,
        gateway,
        channelGuilds,
        rest,
      });
    await jobs.restart();
    await registered;
    return 'ready';
  }

  const ready = start().catch((error: unknown) => {
    log.error({ error: loggable(error) }, 'could not start the bot; the service keeps running');
    return 'refused' as const;
  });

  return {
    ready,
    get isRefused() {
      return isRefused;
    },
    async change(next) {
      const hasOtherScopes = String(next.config.guildIds) !== String(settings.config.guildIds);
      const previous = settings;
      settings = next;
      homes.review();
      if (hasOtherScopes) void registration?.run();
      if (previous.projects === next.projects && isSameButGuilds(previous.config, next.config)) {
        jobs.now?.guildsChanged(changedGuilds(previous.config.guilds, next.config.guilds));
      } else await jobs.restart();
    },
    postStates: () => jobs.now?.postStates() ?? [],
    async updatePosts() {
      await jobs.now?.updatePosts();
    },
    async checkServers() {
      await jobs.now?.checkServers();
    },
    async runFeeds() {
      await jobs.now?.runFeeds();
    },
    shards: () => gateway.shards(),
    async stop(session = options.sessions === undefined ? 'end' : 'keep') {
      stopping.abort();
      // A refusal would repeat itself at each start.
      if (!isRefused) await identifies.settle();
      // What comes from now on is for the process that goes on with the session.
      if (session === 'keep') await gateway.disconnect(session, jobs.now?.stop(settleMs));
      await within(ready, settleMs);
      await Promise.all([jobs.now?.stop(settleMs), dispatch.settle(settleMs)]);
      if (session === 'end') await gateway.disconnect(session);
      await gateway.destroy();
    },
  };
}

/** So that a failure is not read as "absent". */
function throwing(keyv: Keyv): Keyv {
  keyv.throwOnErrors = true;
  return keyv;
}

/** Runs `work` when `may` becomes true, once for each time that it does. */
function onceFor(may: () => boolean, work: () => Promise<void>): () => Promise<void> {
  let did = false;
  return async () => {
    const does = may() && !did;
    did = may();
    if (does) await work();
  };
}

/** Background jobs read the settings of guilds at each use. */
function isSameButGuilds(one: BotConfig, other: BotConfig): boolean {
  return isDeepStrictEqual({ ...one, guilds: [] }, { ...other, guilds: [] });
}
