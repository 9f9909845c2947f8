import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { createCharts } from '../bot/charts.ts';
import { createBotHost } from './bot-host.ts';
import { createEmbeddedClient } from './embedded-client.ts';
import { createFigures } from './figures.ts';
import { listen } from './listen.ts';
import { createPlayerHistory } from './player-history.ts';
import { createPorts, joinTarget, projectOfBot } from './ports.ts';
import { startSources } from './source-schedule.ts';
import { systemClock, type Clock } from '../process/clock.ts';
import type { Environment } from '../config/environment.ts';
import type { Config } from '../config/schema.ts';
import { createApp } from '../server/http/app.ts';
import type { ConnectionBounds } from '../server/http/connections.ts';
import { createMetrics, createMetricsServer, type Metrics } from '../server/http/metrics.ts';
import { openTokenKey, type StoredTokenKey } from '../server/http/token-key.ts';
import { createTokens, type TokenGrant } from '../server/http/tokens.ts';
import { createLastUse } from '../server/store/last-use.ts';
import { keepLatestResults } from '../server/live/latest-results.ts';
import { createOnlineList } from '../server/live/online-list.ts';
import { pollPeriodMs } from '../server/live/poll-period.ts';
import { checkAgeSeconds, startPoller, type Poller } from '../server/live/poller.ts';
import { createQuery } from '../server/live/query.ts';
import { createBanExpiry } from '../server/store/ban-expiry.ts';
import { closeToOthers, ensureDataFolder } from '../server/store/data-folder.ts';
import { openReader, openWriter, storeFile } from '../server/store/database.ts';
import { reconcile } from '../server/store/reconcile.ts';
import { lockDataFolder } from '../server/store/folder-lock.ts';
import { openSmallStore } from '../server/store/small-store.ts';
import { checkStore } from '../server/store/check-store.ts';
import { storageProblem } from '../server/store/storage-errors.ts';
import { StoreHealth, type StoreState } from '../server/store/health.ts';

export interface ComposeOptions {
  config: Config;
  environment: Environment;
  log: Logger;
  clock?: Clock;
}

/** A running Outpost. */
export interface Outpost {
  /** Address of the service on this machine. */
  url: string;
  /** Checks every server once more, now. */
  poll(): Promise<void>;
  /** Takes a changed config over. What listens stays where it is. */
  reload(config: Config): Promise<void>;
  /** Resolves when Outpost cannot go on as its config wants it to; the log says why. */
  broken: Promise<void>;
  /** Stops listening, finishes what is in flight, closes everything in reverse order. */
  close(): Promise<void>;
}

/** Longer than any transaction of an import beside the service. */
const busyTimeoutMs = 10_000;
const sweepEveryMs = 86_400_000;
const lastUseEveryMs = 60_000;
const retireBansEveryMs = 60_000;

/** Opens everything in order and starts it. Whatever fails, what was opened before is closed again. */
export async function compose(options: ComposeOptions): Promise<Outpost> {
  const closers: (() => Promise<unknown>)[] = [];
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
  { config, environment, log, clock = systemClock }: ComposeOptions,
  closers: (() => Promise<unknown>)[],
): Promise<Omit<Outpost, 'close'>> {
  const { now, monotonic } = clock;
  let current = config;

  const { dataFolder } = environment;
  ensureDataFolder(dataFolder);
  const lock = lockDataFolder(dataFolder, environment.configFile, now());
  closers.push(async () => lock.release());
  const file = storeFile(dataFolder);
  checkStore(file);
  const health = new StoreHealth((state, error) => logHealth(log, file, state, error));
  const writer = await openWriter(file, { busyTimeoutMs, health });
  closers.push(writer.close);
  await reconcile(writer.db, config);
  const reader = openReader(file, health);
  closers.push(reader.close);

  const small = await openSmallStore(dataFolder, log);
  closers.push(small.close);
  for (const path of closeToOthers(dataFolder)) {
    log.warn(`every user of this machine can read ${path}: run "chmod -R o-rwx" on the data folder`);
  }
  await small.sweep(now());
  const sweep = (): void =>
    void small
      .sweep(now())
      .catch((error: unknown) => log.error({ err: error }, 'the small store was not swept'));
  closers.push(every(sweepEveryMs, sweep));

  const lastUse = createLastUse(now);
  const writeLastUse = (): Promise<void> =>
    lastUse.write(writer.db).catch((error: unknown) => log.error({ err: error }, 'last use not stored'));
  closers.push(writeLastUse);
  closers.push(every(lastUseEveryMs, () => void writeLastUse()));

  const keepBansInStep = createBanExpiry(writer.db);
  const retireBans = (): Promise<void> =>
    keepBansInStep(now()).catch((error: unknown) =>
      log.error({ err: error }, 'bans that ended were not retired; the next try is in a minute'),
    );
  await retireBans();
  closers.push(every(retireBansEveryMs, () => void retireBans()));

  const metrics = config.http.metrics === undefined ? undefined : createMetrics();
  if (metrics !== undefined && config.http.metrics !== undefined) {
    closers.push(await serveMetrics(metrics, config.http.metrics, log));
  }

  const results = keepLatestResults(createQuery({ now }), monotonic);
  const { query } = results;
  let poller: Poller | undefined;
  const tokenKey = await openTokenKey(small.of<StoredTokenKey>('token-key'), now);
  const app = createApp({
    reader,
    tokens: createTokens(small.of<TokenGrant>('tokens'), now, tokenKey),
    online: createOnlineList(query, monotonic),
    supportUrl: () => current.http.supportUrl ?? null,
    joinTarget: (serverId) => joinTarget(current, serverId),
    log,
    trustProxy: config.http.trustProxy,
    corsOrigins: config.http.cors.origins,
    logRequests: config.http.logRequests,
    bounds: connectionBounds(config.http),
    onUse: lastUse.note,
    readiness: {
      store: () => reader.dataVersion() >= 0 && health.isSound,
      writing: writer.canWrite,
      poller: () => poller?.isWorking() ?? false,
    },
    ...(metrics === undefined ? {} : { metrics }),
    ...clock,
  });
  const url = await listen(app, config.http);
  const history = createPlayerHistory(reader.db, () => current);
  const charts = createCharts(history, log);
  const ports = { ...createPorts(() => current, results, reader.db), charts };
  let onRefused = (): void => undefined;
  const broken = new Promise<void>((resolve) => (onRefused = resolve));
  const { discordToken: token, discordApiUrl } = environment;
  const bot = createBotHost({ token, discordApiUrl, small, ports, log, ...clock, onRefused });
  const applyBot = async (config: Config): Promise<void> => {
    const { discord } = config;
    const shows = projectOfBot(config)?.slug ?? '';
    const connect = () => createEmbeddedClient(writer.db, url, shows, clock);
    await bot.apply(discord === undefined ? null : { discord, shows, connect });
  };
  const { postStates } = bot;
  metrics?.collect(createFigures({ db: reader.db, config: () => current, postStates, now }));
  // Together: what the bot still answers, the service still serves.
  closers.push(() => Promise.all([bot.stop(), app.close()]));

  const running = startPoller({ db: writer.db, query, log, periodMs: pollPeriodMs(config.live), ...clock });
  poller = running;
  for (const [name, share] of [
    ['median', 0.5],
    ['p95', 0.95],
    ['max', 1],
  ] as const) {
    const help = `Seconds since servers were last checked: ${name} of all servers.`;
    metrics?.gauge(`outpost_server_check_age_${name}_seconds`, help, () =>
      checkAgeSeconds(running.checks(), share),
    );
  }
  closers.push(running.stop);

  const sources = startSources(file, () => current, log);
  closers.push(sources.stop);

  await applyBot(config);
  if (token !== null) void charts.warmUp();

  const takeOver = async (next: Config): Promise<void> => {
    await reconcile(writer.db, next);
    if (atStart(current) !== atStart(next)) {
      log.warn('http (but for its supportUrl and publicUrl) and live take effect at the next start');
    }
    current = next;
    sources.reload();
    await applyBot(next);
  };
  let reloading: Promise<unknown> = Promise.resolve();
  closers.push(() => reloading);
  return {
    url,
    broken,
    poll: running.poll,
    reload(changed) {
      // One after the other: two at once would start two bots.
      const done = reloading.then(() => takeOver(changed));
      reloading = done.catch(() => undefined);
      return done;
    },
  };
}

/** Repeats plain upkeep by the monotonic clock; the result ends that. */
function every(ms: number, work: () => void): () => Promise<void> {
  const timer = setInterval(work, ms);
  return async () => clearInterval(timer);
}

function logHealth(log: Logger, file: string, state: StoreState, error: unknown): void {
  if (state === 'writable') log.info('the store can be written again');
  else log.error(storageProblem(file, error)?.message ?? `the store is ${state}`);
}

/** What the config says of connections; the rest is as the service has it. */
function connectionBounds({
  maxConnections,
  maxConnectionsPerAddress,
}: Config['http']): Partial<ConnectionBounds> {
  return {
    ...(maxConnections === undefined ? {} : { maxConnections }),
    ...(maxConnectionsPerAddress === undefined ? {} : { maxConnectionsPerAddress }),
  };
}

/** What of a config is used at the start only, to compare. */
function atStart({ http, live }: Config): string {
  return JSON.stringify([{ ...http, supportUrl: null, publicUrl: null }, live]);
}

/** Serves the figures on their own port. The service goes on without them where that is taken. */
async function serveMetrics(
  metrics: Metrics,
  { host, port }: NonNullable<Config['http']['metrics']>,
  log: Logger,
): Promise<() => Promise<void>> {
  const server = createMetricsServer(metrics);
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    log.error({ err: error }, `cannot serve metrics on ${host}:${port}: change http.metrics in the config`);
    return async () => undefined;
  }
  log.info(`metrics at http://${host}:${(server.address() as AddressInfo).port}/metrics`);
  return async () => {
    server.close();
    server.closeAllConnections();
  };
}
