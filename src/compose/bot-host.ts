import type { Logger } from 'pino';
import { scopes } from '../api/access.ts';
import { createClient } from '../api/client.ts';
import type { Client } from '../api/client-types.ts';
import type { HeldTokenData } from '../api/held-token.ts';
import { startBot, type Bot } from '../bot/bot.ts';
import type { Clock } from '../clock.ts';
import type { Ports } from '../commands/ports.ts';
import type { Environment } from '../config.ts';
import type { Config } from '../config-schema.ts';
import { hashSecret, newApplicationId, newSecret } from '../server/credentials.ts';
import { createApplication, deleteEmbeddedApplications } from '../server/store/applications.ts';
import type { Database } from '../server/store/database.ts';
import type { SmallStore } from '../server/store/small-store.ts';
import { projectOfBot } from './ports.ts';

export interface BotHostOptions extends Clock {
  environment: Environment;
  /** The writer: the embedded bot's application is made in it. */
  db: Database;
  small: SmallStore;
  /** Address of the embedded service. */
  url: string;
  /** What the embedded service's bot knows besides; one that reads a service elsewhere is not told. */
  ports: Ports;
  log: Logger;
  /** Called when Discord refuses the bot and the config does not want to go on without it. */
  onRefused: () => void;
}

/** Runs the bot that a config wants, and another one when the config changes. Calls must not overlap. */
export interface BotHost {
  /** Starts the bot, restarts it if what it is made from has changed, or says why there is none. */
  apply(config: Config): Promise<void>;
  stop(): Promise<void>;
}

/** What answers in flight get at a stop; the whole process has five seconds. */
const settleMs = 1_500;

export function createBotHost(options: BotHostOptions): BotHost {
  const { environment, small, ports, log, now, monotonic } = options;
  let bot: Bot | null = null;
  let madeFrom: string | null = null;

  const start = async (token: string, config: Config): Promise<Bot> => {
    const keepServing = config.discord?.keepServing ?? false;
    return await startBot({
      token,
      client: await connect(options, config),
      ports: environment.remoteService === null ? ports : {},
      config: { guildIds: [], statusPosts: [], ...config.discord, keepServing },
      keyv: small.of('bot'),
      log: log.child({ part: 'bot' }),
      apiUrl: environment.discordApiUrl ?? undefined,
      timing: { settleMs },
      now,
      monotonic,
      onRefused: keepServing ? undefined : options.onRefused,
    });
  };

  return {
    async apply(config) {
      const wanted = JSON.stringify([config.discord, projectOfBot(config)?.slug]);
      if (wanted === madeFrom) return;
      madeFrom = wanted;
      await bot?.stop();
      bot = null;
      const { discordToken: token, remoteService } = environment;
      if (token === null) log.info('the bot is off: DISCORD_TOKEN is not set');
      else if (config.discord === undefined && remoteService === null) {
        log.info('the bot is off: the config has no section "discord"');
      } else bot = await start(token, config);
    },
    async stop() {
      await bot?.stop();
      bot = null;
    },
  };
}

async function connect(
  { environment, db, small, url, now, monotonic }: BotHostOptions,
  config: Config,
): Promise<Client> {
  const { remoteService } = environment;
  const clock = { now, monotonic };
  if (remoteService !== null) return createRemoteClient(remoteService, small, clock);
  return await createEmbeddedClient(db, url, projectOfBot(config)?.slug ?? '', clock);
}

/**
 * The bot is one more application of the service. Its secret is made at each start, lives in memory only, and buys a
 * token over loopback HTTP like anyone else's.
 */
async function createEmbeddedClient(
  db: Database,
  url: string,
  projectSlug: string,
  clock: Clock,
): Promise<Client> {
  await deleteEmbeddedApplications(db);
  const applicationId = newApplicationId();
  const secret = newSecret();
  const application = {
    id: applicationId,
    projectSlug,
    name: 'Discord bot',
    secretHash: hashSecret(secret),
    scopes,
  };
  await createApplication(db, { ...application, embedded: true }, clock.now());
  return createClient({ baseUrl: url, applicationId, secret, ...clock });
}

function createRemoteClient(
  { apiUrl, applicationId, secret }: NonNullable<Environment['remoteService']>,
  small: SmallStore,
  clock: Clock,
): Client {
  const keyv = small.of<HeldTokenData>('held-token');
  const tokenStore = {
    load: async () => await keyv.get(applicationId),
    save: async (token: HeldTokenData) =>
      void (await keyv.set(applicationId, token, token.expiresAt - clock.now())),
  };
  return createClient({ baseUrl: apiUrl, applicationId, secret, tokenStore, ...clock });
}
