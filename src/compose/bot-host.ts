import type { Logger } from 'pino';
import type { SharedClient } from '../api/client.ts';
import type { Bot, BotSettings } from '../bot/bot.ts';
import type { PostState } from '../bot/background-jobs.ts';
import type { Clock } from '../process/clock.ts';
import type { Ports } from '../commands/ports.ts';
import type { DiscordConfig } from '../config/schema.ts';
import type { SmallStore } from '../server/store/small-store.ts';

export interface BotHostOptions extends Clock {
  /** Null: there is no bot, which the log says. */
  token: string | null;
  /** Null: Discord's own. */
  discordApiUrl: string | null;
  small: SmallStore;
  /** Data for the bot that the service's contract does not have. */
  ports: Ports;
  log: Logger;
  /** Called when Discord refuses the bot and the config does not want to go on without it. */
  onRefused: () => void;
}

/** The bot that a config wants. */
export interface BotWish {
  discord: DiscordConfig;
  /** Which project of which service it shows: another one means another bot. */
  shows: string;
  connect: () => Promise<SharedClient>;
}

/** Runs the bot that a config wants. Calls must not overlap. */
export interface BotHost {
  /** Starts the bot, gives a running one what has changed, or logs why there is none. */
  apply(wish: BotWish | null): Promise<void>;
  /** How the posts of the bot fare; none while there is no bot. */
  postStates(): PostState[];
  stop(): Promise<void>;
}

/** What answers in flight get at a stop; the whole process has five seconds. */
const settleMs = 1_500;

export function createBotHost(options: BotHostOptions): BotHost {
  const { token, discordApiUrl, small, ports, log, now, monotonic } = options;
  let bot: Bot | null = null;
  let whyOff: string | null = null;
  let current: { wish: BotWish; settings: BotSettings } | null = null;

  const settingsOf = async (wish: BotWish): Promise<BotSettings> => {
    if (current?.wish.shows === wish.shows) return { ...current.settings, config: wish.discord };
    const shared = await wish.connect();
    return { client: shared.as('duties'), clientAs: shared.as, config: wish.discord };
  };

  const stop = async (): Promise<void> => {
    await bot?.stop();
    bot = null;
    current = null;
  };

  return {
    async apply(wish) {
      if (token === null || wish === null) {
        await stop();
        const reason = token === null ? 'DISCORD_TOKEN is not set' : 'the config has no section "discord"';
        if (reason !== whyOff) log.info(`the bot is off: ${reason}`);
        whyOff = reason;
        return;
      }
      whyOff = null;
      if (current !== null && isSame(current.wish, wish)) return;
      if (bot?.isRefused === true) await stop();
      const settings = await settingsOf(wish);
      current = { wish, settings };
      if (bot !== null) return await bot.change(settings);
      // Loaded only here: a service without a bot needs no discord.js.
      const { startBot } = await import('../bot/bot.ts');
      bot = await startBot({
        ...settings,
        token,
        ports,
        keyv: small.of('bot'),
        log: log.child({ part: 'bot' }),
        apiUrl: discordApiUrl ?? undefined,
        timing: { settleMs },
        now,
        monotonic,
        onRefused() {
          if (current?.wish.discord.keepServing !== true) options.onRefused();
        },
      });
    },
    postStates: () => bot?.postStates() ?? [],
    stop,
  };
}

function isSame(one: BotWish, other: BotWish): boolean {
  return JSON.stringify([one.discord, one.shows]) === JSON.stringify([other.discord, other.shows]);
}
