import type { Logger } from 'pino';
import { systemClock, type Clock } from '../../process/clock.ts';
import type { Database } from '../store/engine/database.ts';
import { logFailure } from '../store/engine/log-failure.ts';
import { listQueryTargets, type PolledTarget } from '../store/repositories/projects/servers.ts';
import { limitConcurrency } from '../../process/concurrency-limit.ts';
import type { CheckServer } from './hosted-servers.ts';
import { QueryError, targetKey } from './query.ts';
import { StateBatch, type PollShare } from './batched-states.ts';
import { PolledServer, type CheckOutcome } from './polled-server.ts';

interface ServerCheck {
  serverId: string;
  /** Null: not known yet. */
  status: 'ONLINE' | 'OFFLINE' | 'UNKNOWN' | null;
  /** Time since the latest check ended; null: none has. */
  ageMs: number | null;
}

interface PollerOptions extends Partial<Clock> {
  db: Database;
  query: CheckServer;
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

/**
 * Keeps the state of every active server up to date: checks all at once, then each at its own offset within the period.
 */
export class Poller {
  readonly #options: PollerOptions & Clock;
  readonly #share: PollShare;
  readonly #states: StateBatch;
  readonly #watched = new Map<string, PolledServer>();
  readonly #limitAnswering = limitConcurrency(mostQueries);
  readonly #limitSilent = limitConcurrency(mostQueriesOfSilent);
  readonly #timer: NodeJS.Timeout;
  #stopped = false;
  #lastEndedAt: number;
  #listedAt = -Infinity;
  #listing: Promise<void> | null = null;

  constructor(options: PollerOptions) {
    this.#options = { ...systemClock, ...options };
    this.#share = options.share ?? { includes: () => true, databaseFor: () => options.db };
    this.#states = new StateBatch(this.#share, options.log);
    this.#lastEndedAt = this.#options.monotonic();
    this.#timer = setInterval(() => this.#tick(), tickMs);
    this.#tick();
  }

  /** Checks every server now; resolves when all results are stored. */
  async poll(): Promise<void> {
    const before = new Map(Array.from(this.#watched.values(), (server) => [server, server.checksEnded]));
    await this.#list();
    // Except servers that the schedule has checked in the meantime.
    const due = [...this.#watched.values()].filter(
      (server) => server.checksEnded === (before.get(server) ?? 0),
    );
    await Promise.all(due.map((server) => this.#check(server)));
    await this.#states.flush();
  }

  /** Reads the list of servers again, and begins to check new ones. Never rejects. */
  async refresh(): Promise<void> {
    // A list that is being read may be older than the change.
    await this.#listing;
    await this.#list();
  }

  /** The latest check of each server. */
  checks(): ServerCheck[] {
    const at = this.#options.monotonic();
    return [...this.#watched.values()].map(({ target, state, endedAt }) => ({
      serverId: target.id,
      status: state?.status ?? null,
      ageMs: endedAt === null ? null : at - endedAt,
    }));
  }

  /** Whether checks have completed recently, whatever their results. */
  isWorking(): boolean {
    if (this.#stopped) return false;
    const { monotonic, periodMs } = this.#options;
    return this.#watched.size === 0 || monotonic() - this.#lastEndedAt <= periodMs + graceMs;
  }

  /** Stops the checks. Running queries are abandoned and their results not stored. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await this.#states.stop();
  }

  #tick(): void {
    const { monotonic, periodMs } = this.#options;
    // Known servers are checked on time even while the store is busy.
    if (monotonic() - this.#listedAt >= Math.min(periodMs, targetsEveryMs)) void this.#list();
    this.#checkDue();
  }

  #list(): Promise<void> {
    const { db, log, monotonic } = this.#options;
    this.#listing ??= listQueryTargets(db)
      .then((all) => {
        this.#watch(all);
        this.#checkDue();
      })
      .catch((error: unknown) => logFailure(log, error, 'could not read the servers to check'))
      .finally(() => {
        this.#listedAt = monotonic();
        this.#listing = null;
      });
    return this.#listing;
  }

  #watch(all: readonly PolledTarget[]): void {
    const targets = all.filter(({ id }) => this.#share.includes(id));
    const ids = new Set(targets.map(({ id }) => id));
    for (const id of this.#watched.keys()) if (!ids.has(id)) this.#watched.delete(id);
    for (const target of targets) {
      const known = this.#watched.get(target.id);
      if (known !== undefined && targetKey(known.target) === targetKey(target)) continue;
      this.#watched.set(target.id, new PolledServer(target, this.#options.monotonic()));
    }
  }

  #checkDue(): void {
    const { monotonic, periodMs } = this.#options;
    const at = monotonic();
    let place = 0;
    let left = Math.max(fewestPerTick, Math.ceil((2 * this.#watched.size * tickMs) / periodMs));
    for (const server of this.#watched.values()) {
      place += 1;
      if (server.dueAt > at) continue;
      if ((left -= 1) < 0) return;
      const isFirst = server.endedAt === null && server.check === null;
      // All servers are first checked together; then each has its own offset.
      if (isFirst) server.dueAt = at + (place / this.#watched.size) * periodMs;
      else server.dueAt += Math.ceil((at - server.dueAt + 1) / periodMs) * periodMs;
      void this.#check(server);
    }
  }

  #check(server: PolledServer): Promise<void> {
    server.check ??= (server.isSilent ? this.#limitSilent : this.#limitAnswering)
      .run(() => this.#ask(server))
      .catch((error: unknown) =>
        this.#options.log.error(
          { err: error, server: server.target.id },
          'unexpected error in a server check',
        ),
      )
      .finally(() => (server.check = null));
    return server.check;
  }

  async #ask(server: PolledServer): Promise<void> {
    if (this.#stopped) return;
    const { target } = server;
    const { query, now, monotonic } = this.#options;
    // The server may have been removed from the config or changed its address in the meantime.
    const counts = (): boolean => !this.#stopped && this.#watched.get(target.id) === server;
    try {
      const result = await query(target);
      if (counts()) this.#report(server, server.answered(result));
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      if (counts()) this.#report(server, server.failed(error, now()), error);
    } finally {
      server.checksEnded += 1;
      server.endedAt = this.#lastEndedAt = monotonic();
    }
  }

  #report({ target }: PolledServer, { state, change }: CheckOutcome, error?: QueryError): void {
    const { log } = this.#options;
    if (change === 'recovered') log.info({ server: target.id }, 'server answers again');
    if (change === 'failed') {
      const about = { server: target.id, status: state?.status, reason: error?.message };
      log.warn(about, 'server check failed');
    }
    if (state !== null) this.#states.add(target.id, state);
  }
}
