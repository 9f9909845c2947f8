import { systemClock } from '../process/clock.ts';
import { limitConcurrency } from '../process/concurrency-limit.ts';
import { count } from '../process/count.ts';
import { within } from '../process/time-limit.ts';
import { keepHeapSmall } from '../process/v8-flags.ts';
import { createDispatch } from './answers/dispatch.ts';
import type { BotContext, BotOptions, BotSettings } from './bot-options.ts';
import { createBackgroundJobs, type BackgroundJobs, type PostState } from './channels/background-jobs.ts';
import { createGateway, type GatewayMetrics } from './gateway/gateway.ts';
import { createRegistration } from './gateway/registration.ts';
import { createHomeGuilds } from './home-guilds.ts';
import { defaultTiming, headStartMs } from './limits.ts';
import { loggable } from './loggable.ts';
import { createRest } from './rest.ts';

export type * from './bot-options.ts';
export type { BotTiming } from './limits.ts';

export type Bot = ReturnType<typeof startBot>;

/**
 * Starts the bot and returns at once. The process and the service keep running whatever Discord does.
 *
 * A bot is connecting until Discord has sent all guilds, then online: it answers, registers its commands, and then starts what
 * it does on its own. At any time it can be refused by Discord, or stopped.
 */
export function startBot(options: BotOptions) {
  keepHeapSmall();
  const { token, apiUrl, log, keyv, pictures, records } = options;
  const { now = systemClock.now, monotonic = systemClock.monotonic } = options;
  const { onRefused = () => undefined, mayAnswer = () => true } = options;
  const timing = { ...defaultTiming, ...options.timing };
  const { settleMs } = timing;
  // So that a failure is not read as "absent".
  keyv.throwOnErrors = true;
  let current: BotSettings = { config: options.config, projects: options.projects };
  const settings = (): BotSettings => current;
  const restarts = limitConcurrency(1);
  const stopping = new AbortController();
  const { signal } = stopping;
  /** Undefined until it is online. */
  let register: (() => Promise<void>) | undefined;
  /** What the bot does on its own may be started. */
  let mayStartJobs = false;
  let isRefused = false;
  let jobs: BackgroundJobs | undefined;

  const rest = createRest({ token, apiUrl });
  const gateway = createGateway({
    ...timing,
    token,
    apiUrl,
    log,
    rest,
    onInteraction: (interaction) => {
      if (mayAnswer()) dispatch.handle(interaction);
    },
    onRefused: (refusal) => void refuse(refusal),
  });
  const homes = createHomeGuilds(gateway, () => current.config, log);
  const shared = { gateway, rest, homes, settings, pictures, records, keyv, log };
  const context: BotContext = { ...timing, ...shared, now, monotonic };
  const dispatch = createDispatch(
    context,
    () => jobs?.placements ?? null,
    async (message) => {
      if ((await records?.ledger.add(message)) === 'outdated') void jobs?.removal.run();
    },
  );

  async function start(): Promise<'ready' | 'refused' | 'stopped'> {
    const outcome = await gateway.connect();
    if (outcome === 'closed' || signal.aborted) return 'stopped';
    if (outcome === 'refused') return 'refused';
    const { user, application } = outcome.ready;
    log.info(`the bot is online as ${user.username} in ${count(gateway.guilds().length, 'guild')}`);
    homes.review();
    const registration = createRegistration(context, application.id, signal);
    register = registration;
    const registered = registration();
    const review = (guildId: string): void => {
      homes.review();
      if (current.config.guildIds.includes(guildId)) void registration();
    };
    gateway.on({ joined: review, left: review });
    // Before the posts, so that both do not compete for Discord's limits. Registration can fail for minutes, hence the bound.
    await within(registered, headStartMs);
    mayStartJobs = true;
    await restartJobs();
    // A service that starts with the bot may not have checked the game servers yet when the first posts are made.
    jobs?.refreshLater();
    await registered;
    return 'ready';
  }

  async function refuse(refusal: string): Promise<void> {
    const consequence = current.config.keepServing
      ? 'The bot is off; the service keeps running.'
      : 'Outpost stops. Set discord.keepServing: true in the config to keep the service running without the bot.';
    isRefused = true;
    log.error(`Discord refuses the bot: ${refusal}. ${consequence}`);
    onRefused();
    await jobs?.stop(0);
    await gateway.close();
  }

  /** Stops what the bot does on its own and starts it with the current settings, one call after another. Never rejects. */
  async function restartJobs(): Promise<void> {
    const replace = async (): Promise<void> => {
      const previous = jobs;
      jobs = undefined;
      await previous?.stop(settleMs);
      if (!mayStartJobs || signal.aborted) return;
      const next = createBackgroundJobs(context);
      await next.start();
      jobs = next;
      if (signal.aborted) await next.stop(0);
    };
    await restarts.run(replace).catch((error: unknown) => {
      log.error({ error: loggable(error) }, 'could not start what the bot does on its own');
    });
  }

  /**
   * `ready`: online, posts running, registration of the commands attempted at least once. `refused`: Discord refused the bot,
   * which is logged, and nothing of it runs. `stopped`: stopped before either. Waits while Discord is unreachable. Never rejects.
   */
  const ready = start().catch((error: unknown) => {
    log.error({ error: loggable(error) }, 'could not start the bot; the service keeps running');
    return 'refused' as const;
  });

  return {
    ready,
    get isRefused(): boolean {
      return isRefused;
    },
    /** What it does on its own; undefined: it is not online yet, or that is being restarted. */
    get jobs(): BackgroundJobs | undefined {
      return jobs;
    },
    /** The states of its posts; empty before it is online. */
    postStates: (): PostState[] => jobs?.postStates() ?? [],
    gatewayMetrics: (): GatewayMetrics => gateway.metrics(),
    /**
     * Applies new settings without reconnecting, so that no command is lost. Answers in flight keep the old settings.
     * Resolves when posts and alerts run with the new ones.
     */
    async change(next: BotSettings): Promise<void> {
      current = next;
      homes.review();
      void register?.();
      await restartJobs();
      jobs?.refreshLater();
    },
    /** Stops posts and cron, lets answers in flight finish, and goes offline. */
    async stop(): Promise<void> {
      stopping.abort();
      if (register === undefined) await gateway.close();
      await Promise.all([within(ready, settleMs), jobs?.stop(settleMs), dispatch.settle(settleMs)]);
      await gateway.close();
    },
  };
}
