import type { Logger } from 'pino';
import type { Environment } from '../config/environment.ts';
import { allRoles, type Role } from '../config/roles.ts';
import type { Config } from '../config/schema.ts';
import { sinceBoot, type Clock } from '../process/clock.ts';
import { soleProcess } from '../process/leases.ts';
import { createLeaseMetrics } from '../server/http/metrics/service.ts';
import { createMetrics } from '../server/http/metrics/metrics.ts';
import { serveMetrics } from '../server/http/metrics/server.ts';
import type { Readiness } from '../server/http/health.ts';
import { LeaseKeeper, ownerName } from '../server/store/cluster/lease-keeper.ts';
import { writeProbe } from '../server/store/engine/database.ts';
import { reconcile } from '../server/store/repositories/projects/reconcile.ts';
import type { Closers } from './closers.ts';
import { openData } from './data.ts';
import { storedProject } from '../community/stored-project.ts';
import { perKey } from '../process/per-key.ts';
import { watchUnlistedPlayers } from '../community/unlisted-players.ts';

export interface CoreOptions {
  config: Config;
  /** What this process does. Default: everything. */
  roles?: readonly Role[];
  environment: Omit<
    Environment,
    'httpHost' | 'httpPort' | 'metricsPort' | 'logLevel' | 'remoteService' | 'roles'
  >;
  log: Logger;
  clock: Clock;
}

export type Core = Awaited<ReturnType<typeof openCore>>;

/** Opens what all roles use: the store, leases, metrics, and who is hidden or forgotten. `closers` gets what closes them. */
export async function openCore(options: CoreOptions, closers: Closers) {
  const { environment, log, clock, roles = allRoles } = options;
  const data = await openData({ environment, log, now: clock.now }, closers);
  const { writer, reader } = data;
  const { shared } = writer;
  let current = options.config;
  const config = (): Config => current;
  await reconcile(shared?.starting ?? writer.db, current);
  /** Undefined: the store is not shared, so this process has all leases. */
  const keeper =
    shared && new LeaseKeeper({ db: shared.leases, log, monotonic: sinceBoot, owner: ownerName(roles) });
  /** Work that only one process may do at a time, such as the bot. */
  const leases = keeper ?? soleProcess();
  closers.push(() => leases.close());
  const unlisted = await watchUnlistedPlayers(reader.db, log);
  closers.push(unlisted.stop);
  const isStoreReady = (): boolean => data.health.isSound && data.health.isAvailable;
  const tryWriting = writeProbe(writer.db);
  /** The parts that must work for the process to be ready. A role adds its own. */
  const readiness: Record<string, Readiness[string]> = {
    store: isStoreReady,
    writing() {
      // After a failure nothing else may be due to be written for long.
      if (!data.health.canWrite) tryWriting();
      return isStoreReady() && data.health.canWrite;
    },
  };
  const metricsConfig = current.http.metrics;
  const metrics = metricsConfig && createMetrics();
  if (keeper !== undefined) metrics?.collect(createLeaseMetrics(keeper));
  if (metrics && metricsConfig) closers.push(await serveMetrics(metrics, readiness, metricsConfig, log));
  const sources = { config, reader: reader.db, writer: writer.db, revision: unlisted.revision, clock, log };
  return {
    environment,
    log,
    clock,
    data,
    leases,
    unlisted,
    /** Undefined: the config wants none. */
    metrics,
    /** A project of the config, by its slug. */
    storedProject: perKey((slug) => storedProject(slug, sources)),
    readiness,
    closers,
    config,
    /** Only replaces what `config()` returns: `compose.ts` passes the change to the roles. */
    changeConfig: (next: Config) => void (current = next),
  };
}
