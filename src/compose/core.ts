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

/** Opens what all roles use. */
export async function openCore(options: CoreOptions, closers: Closers) {
  const { environment, log, clock, roles = allRoles } = options;
  const data = await openData({ environment, log, now: clock.now }, closers);
  const { writer, reader } = data;
  const { shared } = writer;
  let current = options.config;
  const config = (): Config => current;
  await reconcile(shared?.starting ?? writer.db, current);
  const keeper =
    shared && new LeaseKeeper({ db: shared.leases, log, monotonic: sinceBoot, owner: ownerName(roles) });
  /** Which parts of the work that only one process may do at a time are this process's. */
  const leases = keeper ?? soleProcess();
  closers.push(() => leases.close());
  const unlisted = await watchUnlistedPlayers(reader.db, log);
  closers.push(unlisted.stop);
  const isStoreReady = (): boolean => data.health.isSound && data.health.isAvailable;
  const probe = writeProbe(writer.db);
  /** The parts that must work for the process to be ready. A role adds its own. */
  const readiness: Record<string, Readiness[string]> = {
    store: isStoreReady,
    writing() {
      if (!data.health.canWrite) probe();
      return isStoreReady() && data.health.canWrite;
    },
  };
  const wanted = current.http.metrics;
  const metrics = wanted && createMetrics();
  if (keeper !== undefined) metrics?.collect(createLeaseMetrics(keeper));
  if (metrics && wanted) closers.push(await serveMetrics(metrics, readiness, wanted, log));
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
    storedProject: perKey((slug) =>
      storedProject(slug, {
        config,
        reader: reader.db,
        writer: writer.db,
        revision: unlisted.revision,
        clock,
        log,
      }),
    ),
    readiness,
    closers,
    config,
    changeConfig: (next: Config) => void (current = next),
  };
}
