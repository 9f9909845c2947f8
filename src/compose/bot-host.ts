import { isDeepStrictEqual } from 'node:util';
import type { Logger } from 'pino';
import type { Bot, BotOptions, BotSettings, BotTiming } from '../bot/bot.ts';
import type { PostState } from '../bot/channels/background-jobs.ts';
import type { ShardMetrics } from '../bot/gateway/shards/held-shard.ts';
import type { Clock } from '../process/clock.ts';
import type { LeasesByName } from '../process/leases-by-name.ts';
import type { Ports } from '../commands/ports/ports.ts';
import type { SmallValues } from '../server/store/engine/small-values.ts';

interface BotHostOptions extends Clock {
  /** Null: there is no bot, and the log says so. */
  token: string | null;
  /** Null: Discord's own. */
  discordApiUrl: string | null;
  small: SmallValues;
  /** Undefined: no other process shares the work. */
  leases?: LeasesByName | undefined;
  /** Data for the bot that is not in the service's contract and concerns all projects. */
  ports: Ports;
  /** In place of the bot's defaults. */
  timing?: BotTiming | undefined;
  log: Logger;
  /** Called when Discord refuses the bot and the config requires it. */
  onRefused: () => void;
}

/** Runs the bot that a config describes. Calls must not overlap. */
interface BotHost {
  /** Starts the bot, passes changes to a running one, or logs why there is none. */
  apply(wanted: BotSettings | null): Promise<void>;
  /** The states of the bot's posts; none while there is no bot. */
  postStates(): PostState[];
  /** Of the shards of Discord that this process holds; none while there is no bot. */
  shardMetrics(): ShardMetrics[];
  stop(): Promise<void>;
}

/** How long a stop waits for answers in flight; the whole process has five seconds. */
const settleMs = 1_500;

export function createBotHost(options: BotHostOptions): BotHost {
  const { token, discordApiUrl, small, leases, ports, timing, log, now, monotonic } = options;
  let bot: Bot | null = null;
  let offReason: string | null = null;
  let current: BotSettings | null = null;

  const stop = async (): Promise<void> => {
    await bot?.stop();
    bot = null;
    current = null;
  };

  return {
    async apply(wanted) {
      if (token === null || wanted === null) {
        await stop();
        const reason =
          token === null
            ? 'DISCORD_TOKEN is not set'
            : 'the config has no section "discord"; "discord: {}" is enough';
        if (reason !== offReason) log.info(`the bot is off: ${reason}`);
        offReason = reason;
        return;
      }
      offReason = null;
      if (bot?.isRefused === true) {
        // Discord refuses the same settings again.
        if (isDeepStrictEqual(current, wanted)) return;
        await stop();
      }
      current = wanted;
      if (bot !== null) return await bot.change(wanted);
      // Loaded on demand: a service without a bot needs no discord.js.
      const { startBot } = await import('../bot/bot.ts');
      bot = startBot({
        ...wanted,
        token,
        ports,
        keyv: small.of('bot'),
        leases,
        fenced: leases && fencedValues(small, leases),
        log: log.child({ part: 'bot' }),
        apiUrl: discordApiUrl ?? undefined,
        timing: { settleMs, ...timing },
        now,
        monotonic,
        onRefused() {
          if (current?.config.keepServing !== true) options.onRefused();
        },
      });
    },
    postStates: () => bot?.postStates() ?? [],
    shardMetrics: () => bot?.shardMetrics() ?? [],
    stop,
  };
}

/** The bot's values, whose writes fail once another process has taken one of the leases. */
export function fencedValues(small: SmallValues, leases: LeasesByName): BotOptions['fenced'] {
  return {
    keyv: (names) => small.of('bot', leases.fences(names)),
    changeValue(names) {
      const fences = leases.fences(names);
      return async (key, next) => void (await small.change('bot', key, next, fences));
    },
  };
}
