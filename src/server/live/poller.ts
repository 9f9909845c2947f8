import type { Logger } from 'pino';
import { systemClock, type Clock } from '../../process/clock.ts';
import type { Database } from '../store/engine/database.ts';
import { logFailure } from '../store/engine/log-failure.ts';
import { listQueryTargets, type QueryTarget } from '../store/repositories/projects/servers.ts';
import { limitConcurrency } from '../../process/concurrency-limit.ts';
import { QueryError, type QueryServer } from './query.ts';
import { createStateBatch, type PollShare } from './batched-states.ts';
import { PolledServer, type CheckOutcome } from './polled-server.ts';

/** Keeps the state of every active server up to date. */
export interface Poller {
  /** Checks every server now; resolves when all results are stored. */
  poll(): Promise<void>;
  /** Reads the list of servers again, and begins to check new ones. Never rejects. */
  refresh(): Promise<void>;
  /** The latest check of each server. */
  checks(): ServerCheck[];
  /** Whether checks have completed recently, whatever their results. */
  isWorking(): boolean;
  /** Stops the checks. Running queries are abandoned and their results not stored. */
  stop(): Promise<void>;
}

export interface ServerCheck {
  serverId: string;
  /** Null: not known yet. */
  status: 'ONLINE' | 'OFFLINE' | 'UNKNOWN' | null;
  players: number | null;
  maxPlayers: number | null;
  /** Time since the latest check ended; null: none has. */
  ageMs: number | null;
}

export interface PollerOptions extends Partial<Clock> {
  db: Database;
  query: QueryServer;
  log: Logger;
  /** Time between two checks of a server. */
  periodMs: number;
  /** Default: all servers. After a change, `refresh` applies it. */
  share?: PollShare;
}

const tickMs = 100;
/**
 * Checks to start per tick, unless the period requires more: sending a thousand queries takes a second of CPU time.
 */
const fewestPerTick = 20;
/** Concurrent queries. A silent server keeps its place for seconds, so silent ones have places of their own. */
const mostQueries = 300;
const mostQueriesOfSilent = 300;
/** How soon new and removed servers are noticed, unless the period is shorter. */
const targetsEveryMs = 15_000;
/** The longest check of a silent server, plus a margin for a process under load. */
const graceMs = 30_000;

/** Checks every server at once, then each at its own offset within the period. */
export function startPoller(options: PollerOptions): Poller {
  const { db, query, log, periodMs, now = systemClock.now, monotonic = systemClock.monotonic } = options;
  const { share = { includes: () => true, databaseFor: () => db } } = options;
  const watched = new Map<string, PolledServer>();
  const limitAnswering = limitConcurrency(mostQueries);
  const limitSilent = limitConcurrency(mostQueriesOfSilent);
  const states = createStateBatch(share, log);
  const startedAt = monotonic();
  let stopped = false;
  let lastEndedAt = startedAt;
  let listedAt = -Infinity;
  let listing: Promise<void> | null = null;

  const report = ({ target }: PolledServer, { state, change }: CheckOutcome, error?: QueryError): void => {
    if (change === 'recovered') log.info({ server: target.id }, 'server answers again');
    if (change === 'failed') {
      log.warn({ server: target.id, status: state?.status, reason: error?.message }, 'server check failed');
    }
    if (state !== null) states.add(target.id, state);
  };

  const ask = async (server: PolledServer): Promise<void> => {
    if (stopped) return;
    const { target } = server;
    // The server may have been removed from the config or changed its address in the meantime.
    const counts = (): boolean => !stopped && watched.get(target.id) === server;
    try {
      const result = await query(target);
      if (counts()) report(server, server.answered(result));
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      if (counts()) report(server, server.failed(error, now()), error);
    } finally {
      server.checksEnded += 1;
      server.endedAt = lastEndedAt = monotonic();
    }
  };

  const check = (server: PolledServer): Promise<void> => {
    server.check ??= (server.isSilent ? limitSilent : limitAnswering)
      .run(() => ask(server))
      .catch((error: unknown) =>
        log.error({ err: error, server: server.target.id }, 'unexpected error in a server check'),
      )
      .finally(() => (server.check = null));
    return server.check;
  };

  const watch = (all: readonly QueryTarget[]): void => {
    const targets = all.filter(({ id }) => share.includes(id));
    const ids = new Set(targets.map(({ id }) => id));
    for (const id of watched.keys()) if (!ids.has(id)) watched.delete(id);
    for (const target of targets) {
      const known = watched.get(target.id);
      if (known !== undefined && isSame(known.target, target)) continue;
      watched.set(target.id, new PolledServer(target, monotonic()));
    }
  };

  const list = (): Promise<void> => {
    listing ??= listQueryTargets(db)
      .then(watch)
      .then(checkDue)
      .catch((error: unknown) => logFailure(log, error, 'could not read the servers to check'))
      .finally(() => {
        listedAt = monotonic();
        listing = null;
      });
    return listing;
  };

  const checkDue = (): void => {
    const at = monotonic();
    let place = 0;
    let left = Math.max(fewestPerTick, Math.ceil((2 * watched.size * tickMs) / periodMs));
    for (const server of watched.values()) {
      place += 1;
      if (server.dueAt > at) continue;
      if ((left -= 1) < 0) return;
      const isFirst = server.endedAt === null && server.check === null;
      // All servers are first checked together; then each has its own offset.
      if (isFirst) server.dueAt = at + (place / watched.size) * periodMs;
      else server.dueAt += Math.ceil((at - server.dueAt + 1) / periodMs) * periodMs;
      void check(server);
    }
  };

  const tick = (): void => {
    const at = monotonic();
    // Known servers are checked on time even while the store is busy.
    if (at - listedAt >= Math.min(periodMs, targetsEveryMs)) void list();
    checkDue();
  };

  const timer = setInterval(tick, tickMs);
  tick();
  return {
    async poll() {
      const before = new Map(Array.from(watched.values(), (server) => [server, server.checksEnded]));
      await list();
      // Except servers that the schedule has checked in the meantime.
      const due = [...watched.values()].filter((server) => server.checksEnded === (before.get(server) ?? 0));
      await Promise.all(due.map(check));
      await states.flush();
    },
    async refresh() {
      // A list that is being read may be older than the change.
      await listing;
      await list();
    },
    checks: () =>
      [...watched.values()].map(({ target, state, endedAt }) => ({
        serverId: target.id,
        status: state?.status ?? null,
        players: state?.players ?? null,
        maxPlayers: state?.maxPlayers ?? null,
        ageMs: endedAt === null ? null : monotonic() - endedAt,
      })),
    isWorking: () => !stopped && (watched.size === 0 || monotonic() - lastEndedAt <= periodMs + graceMs),
    async stop() {
      stopped = true;
      clearInterval(timer);
      await states.stop();
    },
  };
}

function isSame(one: QueryTarget, other: QueryTarget): boolean {
  return (
    one.game === other.game &&
    one.host === other.host &&
    one.port === other.port &&
    one.queryPort === other.queryPort &&
    one.fromDiscord === other.fromDiscord
  );
}
