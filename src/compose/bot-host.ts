import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { Bot, BotSettings, BotTiming } from '../bot/bot.ts';
import type { BotRecords } from '../bot/bot-records.ts';
import type { Clock } from '../process/clock.ts';
import { limitConcurrency } from '../process/concurrency-limit.ts';
import type { HeldLease, Leases } from '../process/leases.ts';
import type { Pictures } from '../commands/interfaces/community.ts';
import type { SmallValues } from '../server/store/engine/small-values.ts';

interface BotHostOptions extends Clock {
  /** Null: there is no bot, and the log says so. */
  token: string | null;
  /** Null: Discord's own. */
  discordApiUrl: string | null;
  small: SmallValues;
  leases: Leases;
  pictures: Pictures;
  /** Opens the bot's tables of the store; writes fail once another process has the lease. Null: the service is elsewhere. */
  recordsOf: ((lease: HeldLease) => BotRecords) | null;
  /** In place of the bot's defaults. */
  timing?: BotTiming | undefined;
  log: Logger;
}

/** Of the processes that share a store, only the one with this lease runs the bot. */
const botLease = 'bot';

/** How long a stop waits for answers in flight; the whole process has five seconds. */
const settleMs = 1_500;

/** Starts, changes and stops the bot of a process, as the config and the lease require. Callers await one call before the next. */
export function createBotHost(options: BotHostOptions) {
  const { token, discordApiUrl, small, leases, pictures, recordsOf, timing, log, now, monotonic } = options;
  /** The bot that runs now, with its settings and the epoch of its lease; null: none runs. */
  let running: { bot: Bot; settings: BotSettings; epoch: number } | null = null;
  /** What is to run while this process has the lease; null: no bot. */
  let wanted: BotSettings | null = null;
  const inTurn = limitConcurrency(1);
  let breakDown = (): void => undefined;
  const broken = new Promise<void>((resolve) => (breakDown = resolve));
  const claim = leases.claim({ outlivesStore: true, onChange: () => inTurn.run(startOrStop) });

  async function stopBot(): Promise<void> {
    await running?.bot.stop();
    running = null;
  }

  /** Stops a bot whose lease is gone or was taken anew, and starts the wanted one if this process has the lease. */
  async function startOrStop(): Promise<void> {
    const epoch = wanted === null ? undefined : claim.held().get(botLease);
    if (running !== null && running.epoch !== epoch) await stopBot();
    const settings = wanted;
    if (running !== null || epoch === undefined || settings === null || token === null) return;
    // Loaded on demand: a service without a bot needs no discord.js.
    const { startBot } = await import('../bot/bot.ts');
    const lease = { name: botLease, epoch };
    const bot = startBot({
      ...settings,
      token,
      pictures,
      records: recordsOf?.(lease) ?? null,
      keyv: small.of('bot', [lease]),
      mayAnswer: () => claim.held().get(botLease) === epoch,
      log: log.child({ part: 'bot' }),
      apiUrl: discordApiUrl ?? undefined,
      timing: { settleMs, ...timing },
      now,
      monotonic,
      onRefused() {
        if (running?.settings.config.keepServing !== true) breakDown();
      },
    });
    running = { bot, settings, epoch };
  }

  return {
    /** Resolves when Discord refuses the bot and the config requires it; the log says why. */
    broken,
    /** Asks for the lease and starts the bot, passes changes to a running one, or logs why there is none. */
    async apply(next: BotSettings | null): Promise<void> {
      wanted = token === null ? null : next;
      if (token === null) log.info('the bot is off: DISCORD_TOKEN is not set');
      else if (next === null)
        log.info('the bot is off: the config has no section "discord"; "discord: {}" is enough');
      claim.want(wanted === null ? [] : [botLease]);
      await inTurn.run(async () => {
        // A refused bot starts again with other settings only: Discord would refuse the same ones again.
        if (running?.bot.isRefused === true && !isDeepStrictEqual(running.settings, wanted)) await stopBot();
        await startOrStop();
        if (running === null || wanted === null || running.bot.isRefused) return;
        const hasJustStarted = running.settings === wanted;
        if (hasJustStarted) return;
        running.settings = wanted;
        await running.bot.change(wanted);
      });
    },
    /** The states of the bot's posts; none while there is no bot. */
    postStates: () => running?.bot.postStates() ?? [],
    /** Null while there is no bot. */
    gatewayMetrics: () => running?.bot.gatewayMetrics() ?? null,
    async stop(): Promise<void> {
      wanted = null;
      await claim.close();
      await inTurn.run(startOrStop);
    },
  };
}
