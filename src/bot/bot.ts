import { setTimeout as delay } from 'node:timers/promises';
import type { Keyv } from 'keyv';
import type { Logger } from 'pino';
import type { Client } from '../api/client-types.ts';
import type { Caller } from '../api/request-budget.ts';
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
import { clockAhead } from './clock-ahead.ts';
import { createDispatch, type AnswerSettings, type Dispatch, type DispatchOptions } from './dispatch.ts';
import { createGateway, type Gateway } from './gateway.ts';
import { createHomeGuilds } from './home-guilds.ts';
import { createIdentifyBudget } from './identify-budget.ts';
import { createPlayerLinks } from './player-links.ts';
import { createRegistration, type Registration } from './registration.ts';
import { createRest } from './rest.ts';
import { keepHeapSmall } from '../process/small-heap.ts';
import { within } from './time-limit.ts';

export interface BotConfig extends AnswerSettings, BackgroundConfig {
  /** Commands only in these guilds; empty: everywhere. */
  guildIds: readonly string[];
  /** Whether the process keeps serving after Discord refused the bot. Default true. */
  keepServing?: boolean | undefined;
}

/** What can change while the bot runs. */
export interface BotSettings {
  client: Client;
  /** The same service, called on behalf of a member or of background work. Default: `client` for all. */
  clientAs?: ((caller: Caller) => Client) | undefined;
  config: BotConfig;
}

export interface BotOptions extends BotSettings {
  token: string;
  /** What the bot has besides the service. It stores the links between members and players itself. */
  ports?: Ports | undefined;
  /** Small state, such as message ids and player links. It is set to throw on failure, so that a failure is not read as "absent". */
  keyv: Keyv;
  log: Logger;
  /** Discord's REST API, ending in `/api`. Default: Discord's own. */
  apiUrl?: string | undefined;
  now?: Clock['now'] | undefined;
  monotonic?: Clock['monotonic'] | undefined;
  timing?: BotTiming | undefined;
  /** Called when Discord refuses the bot, at the start or later. */
  onRefused?: (() => void) | undefined;
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
  /** Stops posts and cron, lets answers in flight finish and closes the connection. */
  stop(): Promise<void>;
}

const longestReconnectMs = 120_000;
/** A member waits for it. */
const clockWaitMs = 1_500;
/** How long posts wait for the first registration of the commands. */
const headStartMs = 1_000;

/** Starts the bot and returns at once. The process and the service keep running whatever Discord does. */
export async function startBot(options: BotOptions): Promise<Bot> {
  const { token, apiUrl, keyv, log, timing = {} } = options;
  let settings: BotSettings = options;
  const { now = systemClock.now, monotonic = systemClock.monotonic } = options;
  const settleMs = timing.settleMs ?? 3_000;
  keepHeapSmall();
  const stopping = new AbortController();
  keyv.throwOnErrors = true;
  let jobs: BackgroundJobs | undefined;
  const ports: Ports = {
    links: createPlayerLinks(keyv),
    placements: () => jobs?.placements ?? null,
    permissionsIn: (channelId) => gateway?.permissionsIn(channelId) ?? null,
    clockAheadMs: async () => await clockAhead(createRest({ token, apiUrl, timeoutMs: clockWaitMs }), now),
    ...options.ports,
  };
  let gateway: Gateway | undefined;
  let isRefused = false;
  const homes = createHomeGuilds({ named: () => settings.config, gateway: () => gateway, log });
  const parts = { ports, keyv, log, now, monotonic, timing, isHome: homes.isHome };
  const newDispatch = ({ client, clientAs = () => client, config }: BotSettings): Dispatch =>
    createDispatch({ ...parts, ...timing, clientAs, settings: config });
  let dispatch = newDispatch(settings);
  let registration: Registration | undefined;
  const rest = createRest({ token, apiUrl });
  const identifies = createIdentifyBudget({
    token,
    keyv,
    log,
    now,
    monotonic,
    readLimit: () => rest.get('/gateway/bot'),
    lastsMs: timing.sessionLastsMs,
  });

  let startJobs: (() => Promise<BackgroundJobs>) | undefined;
  let changing: Promise<void> = Promise.resolve();
  /** Stops the background jobs and starts them with the current settings, if the bot is connected. */
  function restartJobs(): Promise<void> {
    changing = changing.then(async () => {
      const previous = jobs;
      jobs = undefined;
      await previous?.stop(settleMs);
      if (!stopping.signal.aborted) jobs = await startJobs?.();
    });
    return changing;
  }

  async function refused(refusal: string): Promise<void> {
    const consequence =
      (settings.config.keepServing ?? true)
        ? 'The bot is off; the service keeps running.'
        : 'Outpost stops. Set keepServing: true in the config to keep the service running without the bot.';
    isRefused = true;
    log.error(`Discord refuses the bot: ${refusal}. ${consequence}`);
    options.onRefused?.();
    await jobs?.stop(0);
    await gateway?.destroy();
  }

  async function start(): Promise<'ready' | 'refused' | 'stopped'> {
    let wait = timing.reconnectMs ?? 1_000;
    for (let attempt = 1; !stopping.signal.aborted; attempt += 1) {
      if (await identifies.turn(stopping.signal).then(Boolean, () => true)) break;
      const connected = createGateway({
        token,
        apiUrl,
        log,
        onInteraction: (interaction) => dispatch.handle(interaction),
        beforeIdentify: identifies.spend,
      });
      connected.on({ session: identifies.opened });
      gateway = connected;
      const outcome = await Promise.race([gateway.connect(), aborted(stopping.signal)]);
      if (outcome === 'aborted' || stopping.signal.aborted) break;
      if ('refused' in outcome) {
        await refused(outcome.refused);
        return 'refused';
      }
      if ('ready' in outcome) {
        gateway.onRefused((refusal) => void refused(refusal));
        const { application, guilds, user } = outcome.ready;
        log.info(`the bot is online as ${user.username} in ${guilds.cache.size} guilds`);
        homes.review();
        registration = createRegistration({
          token,
          apiUrl,
          applicationId: application.id,
          guildIds: () => settings.config.guildIds,
          joinedGuildIds: () => [...guilds.cache.keys()],
          log,
          signal: stopping.signal,
          firstWaitMs: timing.registerRetryMs,
        });
        const registered = registration.run();
        gateway.on({
          left: homes.review,
          changed: registration.guildChanged,
          joined(guildId) {
            homes.review();
            if (settings.config.guildIds.includes(guildId)) void registration?.run();
          },
        });
        // Before the posts, so that both do not compete for Discord's limits. Registration can fail for minutes, hence the bound.
        await within(registered, headStartMs);
        startJobs = () =>
          startBackgroundJobs({
            ...parts,
            client: settings.client,
            config: settings.config,
            gateway: connected,
            joinedGuildIds: [...guilds.cache.keys()],
            rest,
          });
        await restartJobs();
        await registered;
        return 'ready';
      }
      if (attempt === 1) {
        const error = loggable(outcome.unreachable);
        log.warn({ error }, 'could not reach Discord; the bot keeps trying and the service keeps running');
      }
      await gateway.destroy();
      await delay(wait, undefined, { signal: stopping.signal }).catch(() => {});
      wait = Math.min(wait * 2, longestReconnectMs);
    }
    return 'stopped';
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
      settings = next;
      dispatch = newDispatch(next);
      homes.review();
      if (hasOtherScopes) void registration?.run();
      await restartJobs();
    },
    postStates: () => jobs?.postStates() ?? [],
    async updatePosts() {
      await jobs?.updatePosts();
    },
    async checkServers() {
      await jobs?.checkServers();
    },
    async runFeeds() {
      await jobs?.runFeeds();
    },
    async stop() {
      stopping.abort();
      // A refusal would repeat itself at each start.
      if (!isRefused) await identifies.settle();
      await within(ready, settleMs);
      await Promise.all([jobs?.stop(settleMs), dispatch.settle(settleMs)]);
      await gateway?.destroy();
    },
  };
}

function aborted(signal: AbortSignal): Promise<'aborted'> {
  if (signal.aborted) return Promise.resolve('aborted');
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted'), { once: true }));
}
