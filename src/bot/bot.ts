import { systemClock } from '../process/clock.ts';
import { limitConcurrency } from '../process/concurrency-limit.ts';
import { count } from '../process/count.ts';
import { within } from '../process/time-limit.ts';
import { keepHeapSmall } from '../process/v8-flags.ts';
import { createDispatch, type Dispatch } from './answers/dispatch.ts';
import type { BotContext, BotOptions, BotSettings } from './bot-options.ts';
import { createBackgroundJobs, type BackgroundJobs, type PostState } from './channels/background-jobs.ts';
import { Gateway, type GatewayMetrics } from './gateway/gateway.ts';
import { createRegistration } from './gateway/registration.ts';
import { createHomeGuilds } from './home-guilds.ts';
import { defaultTiming, headStartMs } from './limits.ts';
import { loggable } from './loggable.ts';
import { createRest } from './rest.ts';

export type * from './bot-options.ts';
export type { BotTiming } from './limits.ts';

/** Starts the bot and returns at once. The process and the service keep running whatever Discord does. */
export function startBot(options: BotOptions): Bot {
  keepHeapSmall();
  return new Bot(options);
}

/**
 * A bot is connecting until Discord has sent all guilds, then online: it answers, registers its commands, and then starts what
 * it does on its own. At any time it can be refused by Discord, or stopped.
 */
export class Bot {
  /**
   * `ready`: online, posts running, registration of the commands attempted at least once. `refused`: Discord refused the bot,
   * which is logged, and nothing of it runs. `stopped`: stopped before either. Waits while Discord is unreachable. Never rejects.
   */
  readonly ready: Promise<'ready' | 'refused' | 'stopped'>;
  readonly #context: BotContext;
  readonly #onRefused: () => void;
  readonly #dispatch: Dispatch;
  readonly #restarts = limitConcurrency(1);
  readonly #stopping = new AbortController();
  #settings: BotSettings;
  /** Undefined until it is online. */
  #register: (() => Promise<void>) | undefined;
  /** What the bot does on its own may be started. */
  #mayStartJobs = false;
  #isRefused = false;
  #jobs: BackgroundJobs | undefined;

  constructor(options: BotOptions) {
    const { token, apiUrl, log, keyv, pictures, records } = options;
    const { now = systemClock.now, monotonic = systemClock.monotonic } = options;
    const { onRefused = () => undefined, mayAnswer = () => true } = options;
    const timing = { ...defaultTiming, ...options.timing };
    const rest = createRest({ token, apiUrl });
    // So that a failure is not read as "absent".
    keyv.throwOnErrors = true;
    this.#settings = { config: options.config, projects: options.projects };
    this.#onRefused = onRefused;
    const gateway = new Gateway({
      ...timing,
      token,
      apiUrl,
      log,
      rest,
      onInteraction: (interaction) => {
        if (mayAnswer()) this.#dispatch.handle(interaction);
      },
      onRefused: (refusal) => void this.#refuse(refusal),
    });
    const settings = (): BotSettings => this.#settings;
    const homes = createHomeGuilds(gateway, () => this.#settings.config, log);
    const shared = { gateway, rest, homes, settings, pictures, records, keyv, log };
    this.#context = { ...timing, ...shared, now, monotonic };
    this.#dispatch = createDispatch(
      this.#context,
      () => this.#jobs?.placements ?? null,
      async (message) => {
        if ((await records?.ledger.add(message)) === 'outdated') void this.#jobs?.removal.run();
      },
    );
    this.ready = this.#start().catch((error: unknown) => {
      log.error({ error: loggable(error) }, 'could not start the bot; the service keeps running');
      return 'refused' as const;
    });
  }

  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** What it does on its own; undefined: it is not online yet, or that is being restarted. */
  get jobs(): BackgroundJobs | undefined {
    return this.#jobs;
  }

  /** The states of its posts; empty before it is online. */
  postStates(): PostState[] {
    return this.#jobs?.postStates() ?? [];
  }

  gatewayMetrics(): GatewayMetrics {
    return this.#context.gateway.metrics();
  }

  /**
   * Applies new settings without reconnecting, so that no command is lost. Answers in flight keep the old settings.
   * Resolves when posts and alerts run with the new ones.
   */
  async change(next: BotSettings): Promise<void> {
    this.#settings = next;
    this.#context.homes.review();
    void this.#register?.();
    await this.#restartJobs();
    this.#jobs?.refreshLater();
  }

  /** Stops posts and cron, lets answers in flight finish, and goes offline. */
  async stop(): Promise<void> {
    const { gateway, settleMs } = this.#context;
    this.#stopping.abort();
    if (this.#register === undefined) await gateway.close();
    await Promise.all([
      within(this.ready, settleMs),
      this.#jobs?.stop(settleMs),
      this.#dispatch.settle(settleMs),
    ]);
    await gateway.close();
  }

  async #start(): Promise<'ready' | 'refused' | 'stopped'> {
    const { gateway, homes, log } = this.#context;
    const outcome = await gateway.connect();
    if (outcome === 'closed' || this.#stopping.signal.aborted) return 'stopped';
    if (outcome === 'refused') return 'refused';
    const { user, application } = outcome.ready;
    log.info(`the bot is online as ${user.username} in ${count(gateway.guilds().length, 'guild')}`);
    homes.review();
    const register = createRegistration(this.#context, application.id, this.#stopping.signal);
    this.#register = register;
    const registered = register();
    const review = (guildId: string): void => {
      homes.review();
      if (this.#settings.config.guildIds.includes(guildId)) void register();
    };
    gateway.on({ joined: review, left: review });
    // Before the posts, so that both do not compete for Discord's limits. Registration can fail for minutes, hence the bound.
    await within(registered, headStartMs);
    this.#mayStartJobs = true;
    await this.#restartJobs();
    // A service that starts with the bot may not have checked the game servers yet when the first posts are made.
    this.#jobs?.refreshLater();
    await registered;
    return 'ready';
  }

  async #refuse(refusal: string): Promise<void> {
    const { log, gateway } = this.#context;
    const consequence =
      (this.#settings.config.keepServing ?? true)
        ? 'The bot is off; the service keeps running.'
        : 'Outpost stops. Set discord.keepServing: true in the config to keep the service running without the bot.';
    this.#isRefused = true;
    log.error(`Discord refuses the bot: ${refusal}. ${consequence}`);
    this.#onRefused();
    await this.#jobs?.stop(0);
    await gateway.close();
  }

  /** Stops what the bot does on its own and starts it with the current settings, one call after another. Never rejects. */
  async #restartJobs(): Promise<void> {
    const { signal } = this.#stopping;
    const { settleMs, log } = this.#context;
    const replace = async (): Promise<void> => {
      const previous = this.#jobs;
      this.#jobs = undefined;
      await previous?.stop(settleMs);
      if (!this.#mayStartJobs || signal.aborted) return;
      const jobs = createBackgroundJobs(this.#context);
      await jobs.start();
      this.#jobs = jobs;
      if (signal.aborted) await jobs.stop(0);
    };
    await this.#restarts.run(replace).catch((error: unknown) => {
      log.error({ error: loggable(error) }, 'could not start what the bot does on its own');
    });
  }
}
