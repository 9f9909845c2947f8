import type { Logger } from 'pino';
import { systemClock, type Clock } from '../../process/clock.ts';
import { limitConcurrency } from '../../process/concurrency-limit.ts';
import { count } from '../../process/count.ts';
import { ProblemLog } from '../../process/problem-log.ts';
import type { Database } from '../store/engine/database.ts';
import { logFailure } from '../store/engine/store-health.ts';
import {
  listQueryTargets,
  saveServerStates,
  type PolledTarget,
  type ServerState,
} from '../store/repositories/projects/servers.ts';
import type { CheckServer } from './server-check.ts';
import { PolledServer, type CheckOutcome } from './polled-server.ts';
import { QueryError, targetKey } from './query.ts';

/** The servers that a process checks, of all. */
export interface PollShare {
  includes(serverId: string): boolean;
  /** Writes states of these servers as long as the process checks them. */
  databaseFor(serverIds: readonly string[]): Database;
}

interface PollerOptions extends Partial<Clock> {
  db: Database;
  check: CheckServer;
  log: Logger;
  periodMs: number;
  /** Default: all servers. After a change, `refresh` applies it. */
  share?: PollShare;
}

const tickMs = 100;
/** Checks to start per tick, unless the period requires more: sending a thousand queries takes a second of CPU time. */
const fewestPerTick = 20;
/** Concurrent queries. A silent server keeps its slot for seconds, so silent ones have slots of their own. */
const mostQueries = 300;
const mostQueriesOfSilent = 300;
/** States are stored together, so that a thousand servers cost one transaction in a second. */
const saveEveryMs = 1_000;
/** How soon new and removed servers are noticed, unless the period is shorter. */
const targetsEveryMs = 15_000;
/** The longest check of a silent server, plus a margin for a process under load. */
const graceMs = 30_000;

/** Keeps the state of every active server up to date: checks all at once, then each at its own offset within the period. */
export class Poller {
  readonly #options: PollerOptions & Clock;
  readonly #share: PollShare;
  readonly #servers = new Map<string, PolledServer>();
  readonly #slotsOfAnswering = limitConcurrency(mostQueries);
  readonly #slotsOfSilent = limitConcurrency(mostQueriesOfSilent);
  /** States that are not stored yet, by server. A later one replaces an earlier one. */
  readonly #unsaved = new Map<string, ServerState>();
  readonly #problems = new ProblemLog();
  readonly #timers: readonly NodeJS.Timeout[];
  #stopped = false;
  #lastEndedAt: number;
  #targetsReadAt = -Infinity;
  #reading: Promise<void> | null = null;
  #saving: Promise<void> = Promise.resolve();
  #savedAt = -Infinity;

  constructor(options: PollerOptions) {
    this.#options = { ...systemClock, ...options };
    this.#share = options.share ?? { includes: () => true, databaseFor: () => options.db };
    this.#lastEndedAt = this.#options.monotonic();
    this.#timers = [
      setInterval(() => this.#tick(), tickMs),
      setInterval(() => void this.#save(), saveEveryMs),
    ];
    void this.#readTargets().then(() => this.#tick());
  }

  /** Checks every server now; resolves when all results are stored. */
  async poll(): Promise<void> {
    await this.#readTargets();
    await Promise.all([...this.#servers.values()].map((server) => this.#check(server)));
    await this.#save();
  }

  /** Reads the list of servers again. Never rejects. */
  async refresh(): Promise<void> {
    // A list that is being read may be older than the change.
    await this.#reading;
    await this.#readTargets();
  }

  /** Whether checks have completed recently, whatever their results. */
  isWorking(): boolean {
    if (this.#stopped) return false;
    const { monotonic, periodMs } = this.#options;
    return this.#servers.size === 0 || monotonic() - this.#lastEndedAt <= periodMs + graceMs;
  }

  /** Stops the checks. Running queries are abandoned and their results not stored. */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#saving;
  }

  #tick(): void {
    const { monotonic, periodMs } = this.#options;
    const at = monotonic();
    // Known servers are checked on time even while the store is busy.
    if (at - this.#targetsReadAt >= Math.min(periodMs, targetsEveryMs)) void this.#readTargets();
    const most = Math.max(fewestPerTick, Math.ceil((2 * this.#servers.size * tickMs) / periodMs));
    const due = [...this.#servers.values()].filter(({ dueAt }) => dueAt <= at);
    for (const server of due.slice(0, most)) void this.#check(server);
  }

  #readTargets(): Promise<void> {
    const { db, log, monotonic } = this.#options;
    this.#reading ??= listQueryTargets(db)
      .then((all) => this.#applyTargets(all.filter(({ id }) => this.#share.includes(id))))
      .catch((error: unknown) => logFailure(log, error, 'could not read the servers to check'))
      .finally(() => {
        this.#targetsReadAt = monotonic();
        this.#reading = null;
      });
    return this.#reading;
  }

  #applyTargets(targets: readonly PolledTarget[]): void {
    const { monotonic, periodMs } = this.#options;
    const ids = new Set(targets.map(({ id }) => id));
    for (const id of this.#servers.keys()) if (!ids.has(id)) this.#servers.delete(id);
    for (const [index, target] of targets.entries()) {
      const known = this.#servers.get(target.id);
      if (known !== undefined && targetKey(known.target) === targetKey(target)) continue;
      const offsetMs = ((index + 1) / targets.length) * periodMs;
      this.#servers.set(target.id, new PolledServer(target, monotonic(), offsetMs));
    }
  }

  #check(server: PolledServer): Promise<void> {
    const { log, monotonic, periodMs } = this.#options;
    const at = monotonic();
    // A check that is still running counts as those that were due meanwhile.
    if (server.wasChecked) server.dueAt += Math.ceil((at - server.dueAt + 1) / periodMs) * periodMs;
    else server.dueAt = at + server.offsetMs;
    server.wasChecked = true;
    server.check ??= (server.isSilent ? this.#slotsOfSilent : this.#slotsOfAnswering)
      .run(() => this.#runCheck(server))
      .catch((error: unknown) =>
        log.error({ err: error, server: server.target.id }, 'unexpected error in a server check'),
      )
      .finally(() => (server.check = null));
    return server.check;
  }

  async #runCheck(server: PolledServer): Promise<void> {
    if (this.#stopped) return;
    const { check, now, monotonic } = this.#options;
    try {
      const result = await check(server.target);
      if (this.#isStillChecked(server)) this.#note(server, server.answered(result));
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      if (this.#isStillChecked(server)) this.#note(server, server.failed(error, now()), error);
    } finally {
      this.#lastEndedAt = monotonic();
    }
  }

  /** False: the server was removed from the config, or changed its address, while the check ran. */
  #isStillChecked(server: PolledServer): boolean {
    return !this.#stopped && this.#servers.get(server.target.id) === server;
  }

  /** Logs what has changed, and keeps the state until it is stored. */
  #note({ target: { id } }: PolledServer, { state, change }: CheckOutcome, error?: QueryError): void {
    const { log } = this.#options;
    if (change === 'recovered') log.info({ server: id }, 'server answers again');
    if (change === 'failed')
      log.warn({ server: id, status: state?.status, reason: error?.message }, 'server check failed');
    if (state === null) return;
    this.#unsaved.set(id, state);
    // The first ones are shown at once; others wait for the timer.
    if (this.#options.monotonic() - this.#savedAt >= saveEveryMs) void this.#save();
  }

  /** Stores the states since the last time. Never rejects. */
  #save(): Promise<void> {
    this.#savedAt = this.#options.monotonic();
    return (this.#saving = this.#saving.then(async () => {
      const own = [...this.#unsaved].filter(([id]) => this.#share.includes(id));
      this.#unsaved.clear();
      if (own.length === 0 || this.#stopped) return;
      const states = own.map(([serverId, state]) => ({ serverId, ...state }));
      try {
        await saveServerStates(this.#share.databaseFor(own.map(([id]) => id)), states);
        this.#problems.update('states', null);
      } catch (error) {
        // The states of the next second fail for the same reason, which is logged once.
        if (this.#problems.update('states', (error as Error).message).error === undefined) return;
        const { log } = this.#options;
        logFailure(log, error, `the state of ${count(states.length, 'server')} could not be stored`);
      }
    }));
  }
}
