import { isDeepStrictEqual } from 'node:util';
import type { REST } from '@discordjs/rest';
import { Routes, type APIGatewayBotInfo, type Client as DiscordClient } from 'discord.js';
import type { Keyv } from 'keyv';
import { systemClock, type Clock } from '../process/clock.ts';
import { limitConcurrency } from '../process/concurrency-limit.ts';
import { keepHeapSmall } from '../process/v8-flags.ts';
import { BackgroundJobs, type PostState } from './channels/background-jobs.ts';
import type { BotConfig, BotOptions, BotSettings, BotTiming } from './bot-options.ts';
import { Dispatch } from './answers/dispatch.ts';
import { Gateway, type GatewayMetrics } from './gateway/gateway.ts';
import { LoginGuard } from './gateway/login-guard.ts';
import { changedGuilds } from './guild-settings.ts';
import { HomeGuilds } from './home-guilds.ts';
import { loggable, notOfDiscord } from './loggable.ts';
import { createRegistration, type Registration } from './gateway/registration.ts';
import { createRest } from './rest.ts';
import type { ShownProject } from './shown-project.ts';
import { within } from '../process/time-limit.ts';
import { count } from '../process/count.ts';

export type * from './bot-options.ts';

/** How long posts wait for the first registration of the commands. */
const headStartMs = 1_000;
const usualSettleMs = 3_000;

/** Starts the bot and returns at once. The process and the service keep running whatever Discord does. */
export function startBot(options: BotOptions): Bot {
  keepHeapSmall();
  return new Bot(options);
}

export class Bot {
  /**
   * `ready`: connected, posts running, registration of the commands attempted at least once. `refused`: Discord refused the
   * bot, which is logged, and nothing of it runs. `stopped`: stopped before either. Waits while Discord is unreachable.
   * Never rejects.
   */
  readonly ready: Promise<'ready' | 'refused' | 'stopped'>;
  readonly #options: BotOptions & Clock & { timing: BotTiming };
  readonly #keyv: Keyv;
  readonly #rest: REST;
  readonly #projectOf: (guildId: string | null) => ShownProject | null;
  readonly #homes: HomeGuilds;
  readonly #dispatch: Dispatch;
  readonly #guard: LoginGuard;
  readonly #gateway: Gateway;
  readonly #restarts = limitConcurrency(1);
  readonly #settleMs: number;
  readonly #stopping = new AbortController();
  #settings: BotSettings;
  #registration: Registration | undefined;
  #isConnected = false;
  #mayStartJobs = false;
  #isRefused = false;
  #jobs: BackgroundJobs | undefined;

  constructor(given: BotOptions) {
    const { now = systemClock.now, monotonic = systemClock.monotonic, timing = {} } = given;
    const options = { ...given, now, monotonic, timing };
    const { token, apiUrl, log, mayAnswer = () => true } = options;
    this.#options = options;
    this.#settings = given;
    this.#settleMs = timing.settleMs ?? usualSettleMs;
    this.#keyv = throwing(options.keyv);
    this.#rest = createRest({ token, apiUrl });
    this.#projectOf = (guildId) => this.#settings.projects.of(guildId);
    this.#homes = new HomeGuilds({
      named: () => this.#settings.config,
      gateway: () => this.#gateway,
      log,
    });
    this.#dispatch = new Dispatch({
      ...options,
      ...timing,
      projectOf: this.#projectOf,
      channels: {
        permissionsIn: (channelId) => this.#gateway.permissionsIn(channelId),
        isMentionable: (roleGuildId, roleId) => this.#gateway.isMentionable(roleGuildId, roleId),
        isForAll: (channelId) => this.#gateway.isForAll(channelId),
        channelName: (channelId) => this.#gateway.channelName(channelId),
        placements: () => this.jobs?.placements ?? null,
      },
      isHome: (guildId) => this.#homes.isHome(guildId),
      onNames: async (message) => {
        if ((await options.records?.ledger.add(message)) === 'outdated') void this.jobs?.removal.run();
      },
      settings: () => this.#settings.config,
    });
    const readInformation = async (): Promise<APIGatewayBotInfo> => {
      const information = (await this.#rest.get(Routes.gatewayBot())) as APIGatewayBotInfo;
      if (Number.isInteger(information.shards)) return information;
      throw new Error(notOfDiscord);
    };
    this.#guard = new LoginGuard({
      keyv: this.#keyv,
      log,
      now,
      readInformation,
      sessionLastsMs: timing.sessionLastsMs,
    });
    this.#gateway = new Gateway({
      token,
      apiUrl,
      log,
      guard: this.#guard,
      reconnectMs: timing.reconnectMs,
      onInteraction: (interaction) => {
        if (mayAnswer()) this.#dispatch.handle(interaction);
      },
      onRefused: (refusal) => void this.#refuse(refusal),
    });
    this.ready = this.#start().catch((error: unknown) => {
      log.error({ error: loggable(error) }, 'could not start the bot; the service keeps running');
      return 'refused' as const;
    });
  }

  get isRefused(): boolean {
    return this.#isRefused;
  }

  /**
   * Applies new settings without reconnecting, so that no command is lost. Answers in flight keep the old settings.
   * Resolves when posts and alerts run with the new ones.
   */
  async change(next: BotSettings): Promise<void> {
    const previous = this.#settings;
    this.#settings = next;
    this.#homes.review();
    const hasOtherScopes = String(next.config.guildIds) !== String(previous.config.guildIds);
    if (hasOtherScopes) void this.#registration?.run();
    if (previous.projects !== next.projects || !isSameButGuilds(previous.config, next.config))
      await this.#restartJobs();
    this.jobs?.configChanged(changedGuilds(previous.config.guilds, next.config.guilds));
  }

  /** The states of its posts; empty before it is connected. */
  postStates(): PostState[] {
    return this.jobs?.postStates() ?? [];
  }

  /** What it does on its own; undefined: it is not connected yet, or that is being restarted. */
  get jobs(): BackgroundJobs | undefined {
    return this.#jobs;
  }

  gatewayMetrics(): GatewayMetrics {
    return this.#gateway.metrics();
  }

  /** Stops posts and cron, lets answers in flight finish, and goes offline. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    // A refusal would repeat itself at each start.
    if (!this.#isRefused) await this.#guard.settle();
    if (!this.#isConnected) await this.#gateway.close();
    await Promise.all([
      within(this.ready, this.#settleMs),
      this.jobs?.stop(this.#settleMs),
      this.#dispatch.settle(this.#settleMs),
    ]);
    await this.#gateway.close();
  }

  async #start(): Promise<'ready' | 'refused' | 'stopped'> {
    const outcome = await this.#gateway.connect();
    if (outcome === 'closed' || this.#stopping.signal.aborted) return 'stopped';
    if (outcome === 'refused') return 'refused';
    this.#isConnected = true;
    const { user, application } = outcome.ready;
    const { length } = this.#gateway.guilds();
    this.#options.log.info(`the bot is online as ${user.username} in ${count(length, 'guild')}`);
    this.#homes.review();
    this.#registration = this.#createRegistration(application);
    const registered = this.#registration.run();
    this.#followGuilds(this.#registration);
    // Before the posts, so that both do not compete for Discord's limits. Registration can fail for minutes, hence the bound.
    await within(registered, headStartMs);
    this.#mayStartJobs = true;
    await this.#restartJobs();
    await registered;
    return 'ready';
  }

  async #refuse(refusal: string): Promise<void> {
    const consequence =
      (this.#settings.config.keepServing ?? true)
        ? 'The bot is off; the service keeps running.'
        : 'Outpost stops. Set discord.keepServing: true in the config to keep the service running without the bot.';
    this.#isRefused = true;
    this.#options.log.error(`Discord refuses the bot: ${refusal}. ${consequence}`);
    this.#options.onRefused?.();
    await this.jobs?.stop(0);
    await this.#gateway.close();
  }

  #createRegistration({ id }: DiscordClient<true>['application']): Registration {
    const { log, timing } = this.#options;
    return createRegistration({
      rest: this.#rest,
      applicationId: id,
      keyv: this.#keyv,
      guildIds: () => this.#settings.config.guildIds,
      isJoined: (guildId) => this.#gateway.guilds().some((guild) => guild.id === guildId),
      managesRoles: () => (this.#settings.config.roles ?? []).length > 0,
      log,
      signal: this.#stopping.signal,
      firstWaitMs: timing.registerRetryMs,
    });
  }

  #followGuilds(registration: Registration): void {
    const review = (guildId: string): void => {
      this.#homes.review();
      if (this.#settings.config.guildIds.includes(guildId)) void registration.run();
    };
    this.#gateway.on({ joined: review, left: review });
  }

  /** Stops what the bot does on its own and starts it with the current settings, one call after another. Never rejects. */
  async #restartJobs(): Promise<void> {
    const { signal } = this.#stopping;
    const replace = async (): Promise<void> => {
      const previous = this.#jobs;
      this.#jobs = undefined;
      await previous?.stop(this.#settleMs);
      if (!this.#mayStartJobs || signal.aborted) return;
      this.#jobs = await this.#startJobs();
      if (signal.aborted) await this.#jobs.stop(0);
    };
    await this.#restarts.run(replace).catch((error: unknown) => {
      this.#options.log.error({ error: loggable(error) }, 'could not start what the bot does on its own');
    });
  }

  async #startJobs(): Promise<BackgroundJobs> {
    const jobs = new BackgroundJobs({
      ...this.#options,
      projectOf: this.#projectOf,
      isHome: (guildId) => this.#homes.isHome(guildId),
      areHomesKnown: () => this.#homes.areNamed(),
      keyv: this.#keyv,
      areSeveral: () => this.#settings.projects.areSeveral(),
      config: () => this.#settings.config,
      gateway: this.#gateway,
      rest: this.#rest,
    });
    await jobs.start();
    return jobs;
  }
}

/** So that a failure is not read as "absent". */
function throwing(keyv: Keyv): Keyv {
  keyv.throwOnErrors = true;
  return keyv;
}

/** Background jobs read the settings of guilds at each use. */
function isSameButGuilds(one: BotConfig, other: BotConfig): boolean {
  return isDeepStrictEqual({ ...one, guilds: [] }, { ...other, guilds: [] });
}
