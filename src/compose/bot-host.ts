import type { Logger } from 'pino';
import type { SharedClient } from '../api/client.ts';
import { startBot, type Bot } from '../bot/bot.ts';
import type { PostState } from '../bot/duties.ts';
import type { Clock } from '../clock.ts';
import type { Ports } from '../commands/ports.ts';
import type { DiscordConfig } from '../config-schema.ts';
import type { SmallStore } from '../server/store/small-store.ts';

export interface BotHostOptions extends Clock {
  /** Null: there is no bot, which the log says. */
  token: string | null;
  /** Null: Discord's own. */
  discordApiUrl: string | null;
  small: SmallStore;
  /** What the bot knows besides what the service tells. */
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

/** Runs the bot that a config wants, and another one when the config changes. Calls must not overlap. */
export interface BotHost {
  /** Starts the bot, restarts it if what it is made from has changed, or says why there is none. */
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
  let madeFrom: string | null = null;

  const start = async (token: string, { discord, connect }: BotWish): Promise<Bot> => {
    const shared = await connect();
    return await startBot({
      token,
      client: shared.as('duties'),
      clientAs: shared.as,
      ports,
      config: discord,
      keyv: small.of('bot'),
      log: log.child({ part: 'bot' }),
      apiUrl: discordApiUrl ?? undefined,
      timing: { settleMs },
      now,
      monotonic,
      onRefused: discord.keepServing ? undefined : options.onRefused,
    });
  };

  return {
    async apply(wish) {
      const wanted = JSON.stringify([wish?.discord, wish?.shows]);
      if (wanted === madeFrom) return;
      madeFrom = wanted;
      await bot?.stop();
      bot = null;
      if (token === null) log.info('the bot is off: DISCORD_TOKEN is not set');
      else if (wish === null) log.info('the bot is off: the config has no section "discord"');
      else bot = await start(token, wish);
    },
    postStates: () => bot?.postStates() ?? [],
    async stop() {
      await bot?.stop();
      bot = null;
    },
  };
}
