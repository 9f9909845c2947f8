import type { Logger } from 'pino';
import type { SharedClient } from '../api/client.ts';
import { createCharts } from '../bot/charts.ts';
import type { Environment } from '../config/environment.ts';
import type { Config } from '../config/schema.ts';
import { systemClock, type Clock } from '../process/clock.ts';
import { createApp } from '../server/http/app.ts';
import type { ConnectionBounds } from '../server/http/connections.ts';
import { createMetrics } from '../server/http/prometheus.ts';
import { openTokenKey, type StoredTokenKey } from '../server/http/token-key.ts';
import { createTokens, type TokenGrant } from '../server/http/tokens.ts';
import { keepLatestResults } from '../server/live/latest-results.ts';
import { createOnlineList } from '../server/live/online-list.ts';
import { pollPeriodMs } from '../server/live/poll-period.ts';
import { startPoller, type Poller } from '../server/live/poller.ts';
import { createFindAddress, type AddressOptions } from '../server/live/dns-cache.ts';
import { mayBeQueried } from '../server/live/public-address.ts';
import { createQuery, type QueryTarget } from '../server/live/query.ts';
import { createLastUse } from '../server/store/applications/last-use.ts';
import { listAddedServers } from '../server/store/projects/added-servers.ts';
import { reconcile } from '../server/store/projects/reconcile.ts';
import { createAddedServers, logTakenOver, withAddedServers } from './added-servers.ts';
import { createBackups } from './backups.ts';
import { createBotHost } from './bot-host.ts';
import { type Closers, openData } from './data.ts';
import { createDeaths } from './deaths.ts';
import { createKillRecords } from './kill-records.ts';
import { createEmbeddedClient } from './embedded-client.ts';
import { createFigures } from './figures.ts';
import { createHealth } from './health.ts';
import { listen } from './listen.ts';
import { addCheckAges, serveMetrics } from './metrics-server.ts';
import { createPlayerRights } from './player-rights.ts';
import { watchPeople, withoutUnlisted } from './people-watch.ts';
import { createPlayerHistory } from './player-history.ts';
import { queryKeysOf } from './query-keys.ts';
import { createPorts, joinTarget, projectOfBot } from './ports.ts';
import { type SourceSchedule, startSources } from './source-schedule.ts';
import { startUpkeep, upkeepTasks } from './upkeep.ts';

export interface ComposeOptions {
  config: Config;
  environment: Omit<Environment, 'httpHost' | 'httpPort' | 'logLevel' | 'remoteService'>;
  log: Logger;
  clock?: Clock;
  /** Resolves the hosts of servers that members add. Default: the system's resolver. */
  lookup?: AddressOptions['lookup'];
  /** See `createAddedServers`. */
  silenceMs?: number;
}

/** A running Outpost. */
export interface Outpost {
  /** Address of the service on this machine. */
  url: string;
  /** Checks every server now. */
  poll(): Promise<void>;
  /** Applies a changed config. Ports and addresses stay as they are. */
  reload(config: Config): Promise<void>;
  /** Resolves when Outpost cannot continue in the way its config requires; the log says why. */
  broken: Promise<void>;
  /** Stops listening, finishes requests in flight, then closes everything in reverse order. */
  close(): Promise<void>;
}

/** Opens and starts everything in order. After a failure, closes what was opened. */
export async function compose(options: ComposeOptions): Promise<Outpost> {
  const closers: Closers = [];
  const close = async (): Promise<void> => {
    for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) {
      await closer().catch((error: unknown) => options.log.error({ err: error }, 'closing failed'));
    }
  };
  try {
    return { ...(await open(options, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  { config, environment, log, clock = systemClock, lookup, silenceMs }: ComposeOptions,
  closers: Closers,
): Promise<Omit<Outpost, 'close'>> {
  const { now, monotonic } = clock;
  const data = await openData(config, { environment, log, now }, closers);
  const { writer, reader, small } = data;
  const people = await watchPeople(reader, log);
  closers.push(people.stop);
  /** As the owner wrote it, and with the servers that members added. */
  let written = config;
  let current = withAddedServers(written, await listAddedServers(writer.db));
  const backups = createBackups(environment.dataFolder, log);
  closers.push(backups.stop);
  backups.apply(config.backup);
  const lastUse = createLastUse(now);
  await startUpkeep(upkeepTasks(data, lastUse, now), log, closers);
  const metrics = config.http.metrics === undefined ? undefined : createMetrics();
  if (metrics !== undefined && config.http.metrics !== undefined) {
    closers.push(await serveMetrics(metrics, config.http.metrics, log));
  }

  const findAddressForMembers = createFindAddress({
    ...(lookup && { lookup }),
    monotonic,
    // Together with those of the config's servers, lookups leave one of the four threads free.
    mostLookups: 1,
    accepts: (address) => mayBeQueried(address, current.discord?.allowPrivateServers === true),
  });
  const keysOf = (target: QueryTarget) => queryKeysOf(current, target);
  const ask = createQuery({ now, keysOf, findAddressForMembers });
  const results = keepLatestResults(ask, monotonic);
  const { query } = results;
  const online = createOnlineList(query, monotonic);
  let poller: Poller | undefined;
  let sources: SourceSchedule | undefined;
  const tokenKey = await openTokenKey(small.of<StoredTokenKey>('token-key'), now);
  const app = createApp({
    reader,
    tokens: createTokens(small.of<TokenGrant>('tokens'), now, tokenKey),
    online: {
      async read(target) {
        const result = await online.read(target);
        return 'failure' in result ? result : withoutUnlisted(result, people);
      },
    },
    supportUrl: () => current.http.supportUrl ?? null,
    joinTarget: (serverId) => joinTarget(current, serverId),
    log,
    trustProxy: config.http.trustProxy,
    corsOrigins: config.http.cors.origins,
    logRequests: config.http.logRequests,
    bounds: connectionBounds(config.http),
    onUse: lastUse.note,
    readiness: {
      store: () => reader.dataVersion() >= 0 && data.health.isSound,
      writing: writer.canWrite,
      poller: () => poller?.isWorking() ?? false,
    },
    ...(metrics === undefined ? {} : { metrics }),
    ...clock,
  });
  const url = await listen(app, config.http, log);
  const history = createPlayerHistory(reader.db, () => current);
  const charts = createCharts(history, log);
  const deaths = createDeaths(reader, writer.db, () => current);
  const kills = createKillRecords(() => current, reader.db, people.revision, { now, monotonic });
  let botsClient: SharedClient | null = null;
  let changing: Promise<unknown> = Promise.resolve();
  const oneAfterTheOther = <T>(work: () => Promise<T>): Promise<T> => {
    const done = changing.then(work);
    changing = done.catch(() => undefined);
    return done;
  };
  const showAdded = async (): Promise<void> => {
    current = withAddedServers(written, await listAddedServers(writer.db));
    botsClient?.expire();
    await poller?.refresh();
  };
  const addedServers = createAddedServers({
    db: writer.db,
    config: () => current,
    query: ask,
    change: (work) =>
      oneAfterTheOther(async () => {
        const outcome = await work();
        await showAdded();
        return outcome;
      }),
    log,
    silenceMs,
    ...clock,
  });
  const rights = createPlayerRights({ db: writer.db, small, log, onForgotten: () => sources?.check() });
  const health = createHealth({
    db: reader.db,
    health: data.health,
    dataFolder: environment.dataFolder,
    config: () => current,
    now,
  });
  const inMemory = { charts, deaths, kills, addedServers, health, rights };
  const ports = { ...createPorts(() => current, results, reader.db, people, now), ...inMemory };
  let onRefused = (): void => undefined;
  const broken = new Promise<void>((resolve) => (onRefused = resolve));
  const { discordToken: token, discordApiUrl } = environment;
  const bot = createBotHost({ token, discordApiUrl, small, ports, log, ...clock, onRefused });
  const applyBot = async (config: Config): Promise<void> => {
    const { discord } = config;
    const shows = projectOfBot(config)?.slug ?? '';
    const connect = async () => (botsClient = await createEmbeddedClient(writer.db, url, shows, clock));
    await bot.apply(discord === undefined ? null : { discord, shows, connect });
  };
  const { postStates } = bot;
  metrics?.collect(createFigures({ db: reader.db, config: () => current, postStates, now }));
  // Closed together, because the bot needs the service for the answers it still owes.
  closers.push(() => Promise.all([bot.stop(), app.close()]));

  const running = startPoller({ db: writer.db, query, log, periodMs: pollPeriodMs(config.live), ...clock });
  poller = running;
  if (metrics !== undefined) addCheckAges(metrics, running);
  closers.push(running.stop);

  sources = startSources(data.file, () => current, log);
  closers.push(sources.stop);

  await applyBot(config);
  if (token !== null) void charts.warmUp();

  const takeOver = async (next: Config): Promise<void> => {
    logTakenOver(await reconcile(writer.db, next), next, log);
    if (atStart(written) !== atStart(next)) {
      log.warn('http (but for its supportUrl and publicUrl) and live take effect at the next start');
    }
    written = next;
    await showAdded();
    sources?.reload();
    backups.apply(next.backup);
    await applyBot(next);
  };
  closers.push(() => changing);
  return {
    url,
    broken,
    poll: running.poll,
    reload(changed) {
      // Two at once would start two bots.
      return oneAfterTheOther(() => takeOver(changed));
    },
  };
}

/** The connection limits of the config; the service has defaults for the others. */
function connectionBounds({
  maxConnections,
  maxConnectionsPerAddress,
}: Config['http']): Partial<ConnectionBounds> {
  return {
    ...(maxConnections === undefined ? {} : { maxConnections }),
    ...(maxConnectionsPerAddress === undefined ? {} : { maxConnectionsPerAddress }),
  };
}

/** The part of a config that takes effect only at the start, for comparison. */
function atStart({ http, live }: Config): string {
  return JSON.stringify([{ ...http, supportUrl: null, publicUrl: null }, live]);
}
