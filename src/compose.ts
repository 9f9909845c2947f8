import { join } from 'node:path';
import { KeyvSqlite } from '@keyv/sqlite';
import type { FastifyInstance } from 'fastify';
import { Keyv } from 'keyv';
import { schedule } from 'node-cron';
import type { Logger } from 'pino';
import { scopes } from './api/access.ts';
import { createClient } from './api/client.ts';
import type { Client } from './api/client-types.ts';
import type { HeldTokenData } from './api/held-token.ts';
import { startBot, type Bot } from './bot/bot.ts';
import { ConfigError, type Environment } from './config.ts';
import type { Config } from './config-schema.ts';
import { hashSecret, newApplicationId, newSecret } from './server/credentials.ts';
import { createApp } from './server/http/app.ts';
import { createTokens, type TokenGrant } from './server/http/tokens.ts';
import { createSourceWatch } from './server/ingest/sources.ts';
import { createOnlineList } from './server/live/online-list.ts';
import { startPoller } from './server/live/poller.ts';
import { createQuery } from './server/live/query.ts';
import { createApplication, deleteEmbeddedApplications } from './server/store/applications.ts';
import { openReader, openWriter, storeFile, type Database } from './server/store/database.ts';
import { reconcile } from './server/store/reconcile.ts';

export interface ComposeOptions {
  config: Config;
  environment: Environment;
  log: Logger;
  now?: () => number;
}

/** A running Outpost. */
export interface Outpost {
  /** Address of the service on this machine. */
  url: string;
  /** Checks every server once more, now. */
  poll(): Promise<void>;
  /** Takes a changed config over. What listens stays where it is. */
  reload(config: Config): Promise<void>;
  /** Stops listening, finishes what is in flight, closes everything in reverse order. */
  close(): Promise<void>;
}

/** The writer shares its thread with the service: it may not stand still for long. */
const busyTimeoutMs = 2_000;
const sourcesCron = '30 * * * * *';

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
  { config, environment, log, now = Date.now }: ComposeOptions,
  closers: (() => Promise<unknown>)[],
): Promise<Omit<Outpost, 'close'>> {
  let current = config;

  const file = storeFile(environment.dataFolder);
  const writer = await openWriter(file, { busyTimeoutMs });
  closers.push(writer.close);
  await reconcile(writer.db, config);
  const reader = openReader(file);
  closers.push(reader.close);

  const small = openSmallStore(environment.dataFolder, log);
  closers.push(small.close);

  const query = createQuery({ now });
  const app = createApp({
    reader,
    tokens: createTokens(small.of<TokenGrant>('tokens'), now),
    online: createOnlineList(query, now),
    supportUrl: () => current.http.supportUrl ?? null,
    log,
    now,
  });
  const url = await listen(app, config.http);
  closers.push(() => app.close());

  const poller = startPoller({ db: writer.db, query, log, cron: config.live.poll, now });
  closers.push(poller.stop);

  const sources = startSources(writer.db, () => current, log);
  closers.push(sources.stop);

  const startBotIfWanted = async (): Promise<Bot | null> => {
    const { discordToken: token, discordApiUrl } = environment;
    if (token === null) {
      log.info('the bot is off: DISCORD_TOKEN is not set');
      return null;
    }
    if (current.discord === undefined && environment.remoteService === null) {
      log.info('the bot is off: the config has no section "discord"');
      return null;
    }
    client ??= environment.remoteService
      ? createRemoteClient(environment.remoteService, small.of<HeldTokenData>('held-token'), now)
      : await createEmbeddedClient(writer.db, url, projectOfBot(current), now);
    return await startBot({
      token,
      client,
      config: { locale: 'en-US', guildIds: [], statusPosts: [], ...current.discord },
      keyv: small.of('bot'),
      log: log.child({ part: 'bot' }),
      ...(discordApiUrl === null ? {} : { apiUrl: discordApiUrl }),
      now,
    });
  };
  let client: Client | undefined;
  let bot = await startBotIfWanted();
  closers.push(async () => await bot?.stop());

  return {
    url,
    poll: poller.poll,
    async reload(next) {
      await reconcile(writer.db, next);
      const { http, live } = current;
      if (http.host !== next.http.host || http.port !== next.http.port || live.poll !== next.live.poll) {
        log.warn('http.host, http.port and live.poll take effect at the next start');
      }
      const botChanged = JSON.stringify(next.discord) !== JSON.stringify(current.discord);
      if (projectOfBot(next) !== projectOfBot(current)) client = undefined;
      current = next;
      void sources.run();
      if (botChanged) {
        await bot?.stop();
        bot = await startBotIfWanted();
      }
    },
  };
}

/** Keyv on one SQLite file: what expires or is tiny. */
function openSmallStore(dataFolder: string, log: Logger): SmallStore {
  const sqlite = new KeyvSqlite({ uri: `sqlite://${join(dataFolder, 'keyv.sqlite')}`, busyTimeout: 2_000 });
  return {
    of<Value>(namespace: string) {
      const keyv = new Keyv<Value>({ store: sqlite, namespace });
      keyv.on('error', (error: unknown) => log.error({ err: error, namespace }, 'the small store failed'));
      return keyv;
    },
    close: () => sqlite.close(),
  };
}

interface SmallStore {
  of<Value>(namespace: string): Keyv<Value>;
  close(): Promise<unknown>;
}

async function listen(app: FastifyInstance, { host, port }: Config['http']): Promise<string> {
  try {
    return await app.listen({ host, port, listenTextResolver: (address) => `service listens at ${address}` });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reasons: Record<string, string> = {
      EADDRINUSE: 'something else listens there already (another Outpost?)',
      EACCES: 'this user may not listen there (ports below 1024 need rights)',
      EADDRNOTAVAIL: 'this machine has no such address',
    };
    const reason = reasons[code ?? ''] ?? (error as Error).message;
    throw new ConfigError(
      `cannot listen on ${host}:${port}: ${reason}. Change http.host or http.port in the config.`,
    );
  }
}

/** Imports what changed in the sources of the config, at the start and every minute. */
function startSources(
  db: Database,
  config: () => Config,
  log: Logger,
): { run(): Promise<void>; stop(): Promise<void> } {
  const watch = createSourceWatch(db);
  let running: Promise<void> | null = null;
  const importAll = async (): Promise<void> => {
    const { projects } = config();
    const outcomes = await watch.importChanged({
      servers: projects.flatMap((project) => project.servers.filter((server) => server.active)),
      banlists: projects.flatMap((project) => project.banlists.filter((banlist) => banlist.active)),
    });
    for (const outcome of outcomes) {
      if (outcome.error === undefined) log.info(outcome, 'source read');
      else log.warn(outcome, 'source not readable');
    }
  };
  const run = (): Promise<void> => {
    running ??= importAll()
      .catch((error: unknown) => log.error({ err: error }, 'reading the sources failed'))
      .finally(() => (running = null));
    return running;
  };
  const task = schedule(sourcesCron, run);
  void run();
  return {
    run,
    async stop() {
      await task.destroy();
      await running;
    },
  };
}

/** The project whose data the bot shows. */
function projectOfBot(config: Config): string {
  return config.discord?.project ?? (config.projects[0] as Config['projects'][number]).slug;
}

/**
 * The bot is one more application of the service. Its secret is made at each start, lives in memory only, and buys a
 * token over loopback HTTP like anyone else's.
 */
async function createEmbeddedClient(
  db: Database,
  url: string,
  projectSlug: string,
  now: () => number,
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
  await createApplication(db, { ...application, embedded: true }, now());
  return createClient({ baseUrl: url, applicationId, secret, now });
}

function createRemoteClient(
  { apiUrl, applicationId, secret }: NonNullable<Environment['remoteService']>,
  keyv: Keyv<HeldTokenData>,
  now: () => number,
): Client {
  const tokenStore = {
    load: async () => await keyv.get(applicationId),
    save: async (token: HeldTokenData) =>
      void (await keyv.set(applicationId, token, token.expiresAt - now())),
  };
  return createClient({ baseUrl: apiUrl, applicationId, secret, tokenStore, now });
}
