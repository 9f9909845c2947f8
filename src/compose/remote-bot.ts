import type { Logger } from 'pino';
import { createSharedClient, type SharedClient } from '../api/client.ts';
import type { HeldTokenData } from '../api/held-token.ts';
import { clientCacheMs, tokenLimit } from '../api/operations.ts';
import { within } from '../bot/time-limit.ts';
import { systemClock, type Clock } from '../process/clock.ts';
import type { Ports } from '../commands/ports.ts';
import type { Environment } from '../config/environment.ts';
import { botConfigSchema, type BotConfig } from '../config/schema.ts';
import { ConfigError } from '../config/error.ts';
import { closeToOthers, ensureDataFolder } from '../server/store/data-folder.ts';
import { lockDataFolder } from '../server/store/folder-lock.ts';
import { openSmallStore, type SmallStore } from '../server/store/small-store.ts';
import { createBotHost } from './bot-host.ts';
import { checkServerIds } from './server-ids.ts';

type RemoteService = NonNullable<Environment['remoteService']>;

export interface RemoteBotOptions {
  /** Null: there is no config file. */
  config: BotConfig | null;
  environment: Environment & { remoteService: RemoteService };
  log: Logger;
  clock?: Clock;
}

/** A running bot that reads a service elsewhere. */
export interface RemoteBot {
  reload(config: BotConfig | null): Promise<void>;
  /** Resolves when Discord refuses the bot; the log says why. */
  broken: Promise<void>;
  close(): Promise<void>;
}

const sweepEveryMs = 86_400_000;
/** Starts a bot alone: no service, no port, no game server is asked, no log is read. It keeps what expires or is tiny. */
export async function composeRemoteBot(options: RemoteBotOptions): Promise<RemoteBot> {
  const { environment, log, clock = systemClock } = options;
  const { remoteService, dataFolder, discordToken: token, discordApiUrl } = environment;
  if (token === null) {
    throw new ConfigError(
      'OUTPOST_API_URL is set, so this process is only a bot, and DISCORD_TOKEN is not set: put the token into .env, or unset OUTPOST_API_URL to run the service',
    );
  }
  ensureDataFolder(dataFolder);
  const lock = lockDataFolder(dataFolder, environment.configFile, clock.now());
  const closers: (() => unknown)[] = [lock.release];
  const close = async (): Promise<void> => {
    for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) await closer();
  };
  try {
    const small = await openSmallStore(dataFolder, log);
    closers.push(small.close);
    closeToOthers(dataFolder);
    const sweep = (): void =>
      void small
        .sweep(clock.now())
        .catch((error: unknown) => log.error({ err: error }, 'the small store was not swept'));
    sweep();
    const sweeping = setInterval(sweep, sweepEveryMs);
    closers.push(() => clearInterval(sweeping));

    let onRefused = (): void => undefined;
    const broken = new Promise<void>((resolve) => (onRefused = resolve));
    const client = createRemoteClient(remoteService, small, clock);
    const ports = { schedules: schedulesOf(client) };
    const host = createBotHost({ token, discordApiUrl, small, ports, log, ...clock, onRefused });
    closers.push(host.stop);

    let checking = new AbortController();
    closers.push(() => checking.abort());
    const apply = async (config: BotConfig | null): Promise<void> => {
      const { discord, ...others } = config ?? botConfigSchema.parse({});
      const ignored = Object.keys(others).join(', ');
      if (config === null) log.info(`there is no config at ${environment.configFile}: the defaults apply`);
      if (ignored !== '')
        log.info(`${ignored} of the config mean nothing here: ${remoteService.apiUrl} serves`);
      checking.abort();
      checking = new AbortController();
      await host.apply({ discord, shows: remoteService.apiUrl, connect: async () => client });
      void checkServerIds(client.as('duties'), discord, {
        url: remoteService.apiUrl,
        log,
        signal: checking.signal,
      });
    };
    await apply(options.config);
    let reloading: Promise<unknown> = Promise.resolve();
    closers.push(() => reloading);
    return {
      broken,
      close,
      reload(changed) {
        const done = reloading.then(() => apply(changed));
        reloading = done.catch(() => undefined);
        return done;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function createRemoteClient(
  { apiUrl, applicationId, secret }: RemoteService,
  small: SmallStore,
  clock: Clock,
): SharedClient {
  const keyv = small.of<HeldTokenData>('held-token');
  const tokenStore = {
    load: async () => await keyv.get(applicationId),
    save: async (token: HeldTokenData) =>
      void (await keyv.set(applicationId, token, token.expiresAt - clock.now())),
  };
  const { quota: requestsPerMinute } = tokenLimit;
  const access = { baseUrl: apiUrl, applicationId, secret, tokenStore };
  const keepMs = clientCacheMs('remoteBotMs');
  return createSharedClient({ ...access, requestsPerMinute, keepMs, ...clock });
}

const schedulesWaitMs = 1_500;

/** The schedules that are known or come soon: an answer does without the others. */
function schedulesOf(shared: SharedClient): NonNullable<Ports['schedules']> {
  const client = shared.as('background');
  return async (serverIds) => {
    const read = async (serverId: string) => {
      const asked = client.listSchedules({ serverId }).catch(() => null);
      const answer = await within(asked, schedulesWaitMs);
      return answer === 'late' || answer === null ? [] : ([[serverId, answer.data.schedules]] as const);
    };
    return new Map((await Promise.all(serverIds.map(read))).flat());
  };
}
