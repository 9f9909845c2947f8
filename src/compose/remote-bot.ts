import type { Logger } from 'pino';
import { createSharedClient, type SharedClient } from '../api/client.ts';
import type { HeldTokenData } from '../api/held-token.ts';
import { clientCacheMs, tokenLimit } from '../api/operations.ts';
import { createPictures } from '../bot/pictures/pictures.ts';
import { singleProject } from '../bot/shown-project.ts';
import { createClaimedLinks, noCommunity, schedulesOf } from '../community/no-community.ts';
import { systemClock, type Clock } from '../process/clock.ts';
import { limitConcurrency } from '../process/concurrency-limit.ts';
import { soleProcess } from '../process/leases.ts';
import type { Environment } from '../config/environment.ts';
import { botConfigSchema, type BotConfig } from '../config/schema.ts';
import { ConfigError } from '../config/error.ts';
import type { SmallValues } from '../server/store/engine/small-values.ts';
import { createBotHost } from './bot-host.ts';
import { openInOrder } from './closers.ts';
import { openData } from './data.ts';
import { checkServerIds } from './server-ids.ts';
import { startDeletions } from './upkeep.ts';

type RemoteService = NonNullable<Environment['remoteService']>;

interface RemoteBotOptions {
  /** Null: there is no config file. */
  config: BotConfig | null;
  environment: Pick<Environment, 'configFile' | 'dataFolder' | 'discordToken' | 'discordApiUrl'> & {
    remoteService: RemoteService;
  };
  log: Logger;
  clock?: Clock;
}

/**
 * Starts only a bot, for a service elsewhere (`OUTPOST_API_URL`): it opens no port, queries no game server and reads no log. The
 * store in its data folder has only what the bot keeps.
 */
export async function composeRemoteBot(options: RemoteBotOptions) {
  const { environment, log, clock = systemClock } = options;
  const { remoteService, discordToken: token, discordApiUrl } = environment;
  if (token === null) {
    throw new ConfigError(
      'OUTPOST_API_URL is set, so this process is only a bot, and DISCORD_TOKEN is not set: put the token into .env, or unset OUTPOST_API_URL to run the service',
    );
  }
  return await openInOrder(log, async (closers) => {
    // What the bot keeps stays in its data folder, even where OUTPOST_STORE_URL is set.
    const withoutStoreUrl = { ...environment, storeUrl: undefined };
    const { writer, small } = await openData({ environment: withoutStoreUrl, log, now: clock.now }, closers);
    startDeletions({ writer, leases: soleProcess(), now: clock.now, log, closers });

    const client = createRemoteClient(remoteService, small, clock, log);
    const projects = singleProject((caller) => client.as(caller), {
      ...noCommunity,
      schedules: schedulesOf(client.as('background')),
      links: createClaimedLinks(small.of('bot')),
    });
    log.info('names from server logs are not shown: the bot has no access to the store of a remote service');
    const host = createBotHost({
      token,
      discordApiUrl,
      small,
      leases: soleProcess(),
      pictures: createPictures(log, null),
      recordsOf: null,
      log,
      ...clock,
    });
    closers.push(host.stop);

    const apply = async (config: BotConfig | null): Promise<void> => {
      const { discord, ...ofService } = config ?? botConfigSchema.parse({});
      const ignored = Object.keys(ofService).join(', ');
      if (config === null) log.info(`there is no config at ${environment.configFile}: the defaults apply`);
      if (ignored !== '')
        log.info(
          `${ignored} of the config are ignored: the bot reads the service at ${remoteService.apiUrl}`,
        );
      await host.apply({ config: discord, projects });
      void checkServerIds(client.as('duties'), discord, { url: remoteService.apiUrl, log });
    };
    await apply(options.config);
    const { run: oneAfterTheOther } = limitConcurrency(1);
    // Closing begins once a change of the config has been applied.
    closers.push(() => oneAfterTheOther(async () => undefined));
    return {
      broken: host.broken,
      reload: (changed: BotConfig | null) => oneAfterTheOther(() => apply(changed)),
    };
  });
}

function createRemoteClient(
  { apiUrl, applicationId, secret }: RemoteService,
  small: SmallValues,
  clock: Clock,
  log: Logger,
): SharedClient {
  const keyv = small.of<HeldTokenData>('held-token');
  let isAway = false;
  return createSharedClient({
    baseUrl: apiUrl,
    applicationId,
    secret,
    tokenStore: {
      load: async () => await keyv.get(applicationId),
      save: async (token) => void (await keyv.set(applicationId, token, token.expiresAt - clock.now())),
    },
    requestsPerMinute: tokenLimit.quota,
    keepMs: clientCacheMs('remoteBotMs'),
    ...clock,
    onRequest(error) {
      const wasAway = isAway;
      isAway = error !== null;
      if (isAway === wasAway) return;
      if (error === null) log.info(`the service at ${apiUrl} answers again`);
      else log.warn(`${error.message}; the bot shows what it last read, and keeps trying`);
    },
  });
}
