import type { BotTiming } from '../bot/bot.ts';
import { ConfigError } from '../config/error.ts';
import { allRoles, type Role } from '../config/roles.ts';
import type { Config } from '../config/schema.ts';
import { systemClock, type Clock } from '../process/clock.ts';
import { limitConcurrency } from '../process/concurrency-limit.ts';
import { createLastUse } from '../server/store/repositories/applications/applications.ts';
import { createBackups } from './backups.ts';
import { openInOrder } from './closers.ts';
import { changedProjects } from '../config/config-index.ts';
import { type Core, type CoreOptions, openCore } from './core.ts';
import { createServiceMetrics } from '../server/http/metrics/service.ts';
import { activeSources } from '../server/ingest/follower/sources.ts';
import { reconcile } from '../server/store/repositories/projects/reconcile.ts';
import { createQueries } from './queries.ts';
import { startApi } from './roles/api.ts';
import { createBotRole } from './roles/bot.ts';
import { startFollow } from './roles/follow.ts';
import { startPoll } from './roles/poll.ts';
import { keepLastUse, startDeletions } from './upkeep.ts';

export interface ComposeOptions extends Omit<CoreOptions, 'clock'> {
  clock?: Clock;
  /** Times of the bot, in place of its defaults. */
  botTiming?: BotTiming;
}

/** A running Outpost. */
export interface Outpost {
  /** Address of the service on this machine; empty without the roles `api` and `bot`. */
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

/** Opens and starts an Outpost with a service of its own. */
export async function compose(options: ComposeOptions): Promise<Outpost> {
  requireSharedStore(options);
  return await openInOrder(options.log, async (closers) => {
    const core = await openCore({ clock: systemClock, ...options }, closers);
    return await startRoles(core, options);
  });
}

/** @throws ConfigError when this process is to do only some roles, but no other process can use its store */
function requireSharedStore({ roles = allRoles, environment }: ComposeOptions): void {
  if (environment.storeUrl !== undefined || allRoles.every((role) => roles.includes(role))) return;
  throw new ConfigError(
    `this process is to do only ${roles.join(', ')}, and its store is SQLite, which one process uses alone: ` +
      'leave out --roles (and OUTPOST_ROLES), or name a PostgreSQL store in OUTPOST_STORE_URL',
  );
}

/** The backups that the config wants. With a store on PostgreSQL none are made: a backup copies the data folder only. */
function wantedBackups({ environment, log }: Core, { backup }: Config): Config['backup'] {
  if (environment.storeUrl === undefined) return backup;
  if (backup !== undefined) {
    log.warn(
      'no backups are made of a store on PostgreSQL: use pg_dump, and leave "backup" out of the config',
    );
  }
  return undefined;
}

async function startRoles(
  core: Core,
  { roles = allRoles, botTiming }: ComposeOptions,
): Promise<Omit<Outpost, 'close'>> {
  const { data, log, clock, metrics, closers } = core;
  const has = (role: Role): boolean => roles.includes(role);
  const backups = createBackups(core.environment.dataFolder, log);
  closers.push(backups.stop);
  backups.apply(wantedBackups(core, core.config()));
  const lastUse = createLastUse(clock.now);
  const upkeep = { writer: data.writer, leases: core.leases, now: clock.now, log, closers };
  startDeletions(upkeep);
  keepLastUse(lastUse, upkeep);
  const queries = createQueries(core);
  // Not ready until the poller has started, which is after the service.
  if (has('poll')) core.readiness['poller'] = () => false;
  // The bot reads the service like any other client; without the role `api` no other does.
  const service =
    has('api') || has('bot') ? await startApi(core, { queries, lastUse, onLoopback: !has('api') }) : null;
  const { run: oneAfterTheOther } = limitConcurrency(1);
  const bot =
    service === null || !has('bot')
      ? null
      : createBotRole(core, {
          url: service.url,
          queries,
          // `sources` is set below, before the bot starts and members can have somebody forgotten.
          onForgotten: () => sources?.check(),
          timing: botTiming,
        });
  metrics?.collect(
    createServiceMetrics({
      db: data.reader.db,
      sources: () => activeSources(core.config()).files,
      posts: () => bot?.postStates() ?? [],
      gateway: () => bot?.gatewayMetrics() ?? null,
      now: clock.now,
    }),
  );
  // Closed together, because the bot needs the service for the answers it still owes.
  closers.push(() => Promise.all([bot?.stop(), service?.app.close()]));
  const poller = has('poll') ? startPoll(core, queries) : null;
  const sources = has('follow') ? startFollow(core) : null;
  await bot?.apply(core.config());

  const fixed = fixedAtStart(core.config());
  const applyConfig = async (next: Config): Promise<void> => {
    await reconcile(data.writer.db, next);
    if (fixed !== fixedAtStart(next)) {
      log.warn('http (but for its supportUrl and publicUrl) and live take effect at the next start');
    }
    const before = core.config();
    core.changeConfig(next);
    bot?.expire(changedProjects(before, next));
    await poller?.refresh();
    queries.reload();
    sources?.reload();
    backups.apply(wantedBackups(core, next));
    await bot?.apply(next);
  };
  // Closing begins once a change of the config has been applied.
  closers.push(() => oneAfterTheOther(async () => undefined));
  return {
    url: service?.url ?? '',
    broken: bot?.broken ?? new Promise(() => undefined),
    poll: async () => await poller?.poll(),
    // One after the other: two at once would start two bots.
    reload: (changed) => oneAfterTheOther(() => applyConfig(changed)),
  };
}

/** The part of a config that takes effect only at the start, as a text to compare. */
function fixedAtStart({ http, live }: Config): string {
  return JSON.stringify([{ ...http, supportUrl: null, publicUrl: null }, live]);
}
