import { setTimeout as delay } from 'node:timers/promises';
import type { Keyv } from 'keyv';
import type { Logger } from 'pino';
import type { Client } from '../api/client-types.ts';
import type { Caller } from '../api/request-budget.ts';
import { systemClock, type Clock } from '../process/clock.ts';
import type { Ports } from '../commands/ports.ts';
import { loggable } from './discord-error.ts';
import {
  startBackgroundJobs,
  type PostState,
  type BackgroundJobs,
  type BackgroundConfig,
  type BackgroundTiming,
} from './background-jobs.ts';
import { createDispatch, type AnswerSettings, type Dispatch, type DispatchOptions } from './dispatch.ts';
import { createGateway, type Gateway } from './gateway.ts';
import { createHomeGuilds } from './home-guilds.ts';
import { createPlayerLinks } from './player-links.ts';
import { createRegistration, type Registration } from './registration.ts';
import { createRest } from './rest.ts';
import { keepHeapSmall } from '../process/small-heap.ts';
import { within } from './time-limit.ts';

export interface BotConfig extends AnswerSettings, BackgroundConfig {
  /** Commands only in these guilds; empty: everywhere. */
  guildIds: readonly string[];
  /** Whether whoever runs the bot goes on once Discord refuses it, which is said in the log. Default true. */
  keepServing?: boolean | undefined;
}

/** What a running bot may be given anew. */
export interface BotSettings {
  client: Client;
  /** The same service on behalf of others than posts and alerts; left out: `client` for all. */
  clientAs?: ((caller: Caller) => Client) | undefined;
  config: BotConfig;
}

export interface BotOptions extends BotSettings {
  token: string;
  /** What the bot has beside the service; it keeps links of members to players by itself. */
  ports?: Ports | undefined;
  /** Small state: the ids of the status posts' messages, and links of members to players. It is made to throw when it fails: that is not "absent". */
  keyv: Keyv;
  log: Logger;
  /** Discord's REST API, ending in `/api`. Default: Discord's own. */
  apiUrl?: string | undefined;
  now?: Clock['now'] | undefined;
  monotonic?: Clock['monotonic'] | undefined;
  timing?: BotTiming | undefined;
  /** Called once Discord will not have this bot, at the start or later. */
  onRefused?: (() => void) | undefined;
}

/** Waits, all in milliseconds; the defaults are made for Discord as it is. */
export interface BotTiming
  extends
    Pick<
      DispatchOptions,
      'deferAfterMs' | 'answerWithinMs' | 'completeWithinMs' | 'memberRate' | 'completionRate' | 'queueBounds'
    >,
    BackgroundTiming {
  /** First wait before Discord is tried again; it doubles up to two minutes. */
  reconnectMs?: number | undefined;
  /** First wait before the commands are registered again; it doubles up to five minutes. */
  registerRetryMs?: number | undefined;
  /** How long a stop waits for what is in flight. */
  settleMs?: number | undefined;
}

export interface Bot {
  /**
   * `ready`: connected, posts running, commands registered or, if Discord did not take them, tried once. `refused`: Discord will not have this bot (said in one log
   * line) and nothing of it runs. `stopped`: stopped before either. Never rejects; waits while Discord is not reachable.
   */
  ready: Promise<'ready' | 'refused' | 'stopped'>;
  /** Whether Discord will not have this bot. */
  readonly isRefused: boolean;
  /**
   * Takes other settings over without leaving Discord, so that no command is lost: answers in flight go on as they began.
   * Resolves when posts and alerts run by the new ones.
   */
  change(settings: BotSettings): Promise<void>;
  /** How its posts fare; none before it is connected. */
  postStates(): PostState[];
  /** Brings every post up to date, now. */
  updatePosts(): Promise<void>;
  /** Looks at the servers, now, for alerts and presence. */
  checkServers(): Promise<void>;
  /** Ends posts and cron, lets answers in flight finish, closes the connection. */
  stop(): Promise<void>;
}

const longestReconnectMs = 120_000;
/** How long posts wait for the first attempt to register the commands. */
const headStartMs = 1_000;

/** Starts the bot and returns at once; whatever Discord does, the process and the service go on. */
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

  let startJobs: (() => Promise<BackgroundJobs>) | undefined;
  let changing: Promise<void> = Promise.resolve();
  /** Posts and alerts as the settings want them, once there is a connection. */
  function restartJobs(): Promise<void> {
    changing = changing.then(async () => {
      const former = jobs;
      jobs = undefined;
      await former?.stop(settleMs);
      if (!stopping.signal.aborted) jobs = await startJobs?.();
    });
    return changing;
  }

  async function refused(refusal: string): Promise<void> {
    const consequence =
      (settings.config.keepServing ?? true)
        ? 'The bot is off, everything else goes on.'
        : 'Outpost ends; with keepServing: true in the config, the service would go on without the bot.';
    isRefused = true;
    log.error(`Discord refuses the bot: ${refusal}. ${consequence}`);
    options.onRefused?.();
    await jobs?.stop(0);
    await gateway?.destroy();
  }

  async function start(): Promise<'ready' | 'refused' | 'stopped'> {
    let wait = timing.reconnectMs ?? 1_000;
    for (let attempt = 1; !stopping.signal.aborted; attempt += 1) {
      const connected = createGateway({
        token,
        apiUrl,
        log,
        onInteraction: (interaction) => dispatch.handle(interaction),
      });
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
        const rest = createRest({ token, apiUrl });
        // First, so that its requests delay no post that has its turn; but Discord may refuse commands for minutes.
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
        log.warn({ error }, 'Discord cannot be reached; the bot keeps trying, everything else goes on');
      }
      await gateway.destroy();
      await delay(wait, undefined, { signal: stopping.signal }).catch(() => {});
      wait = Math.min(wait * 2, longestReconnectMs);
    }
    return 'stopped';
  }

  const ready = start().catch((error: unknown) => {
    log.error({ error: loggable(error) }, 'the bot could not start; everything else goes on');
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
    async stop() {
      stopping.abort();
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
