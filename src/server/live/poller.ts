import { schedule } from 'node-cron';
import type { Logger } from 'pino';
import type { Database } from '../store/database.ts';
import {
  findServerState,
  listQueryTargets,
  pruneSamples,
  saveServerState,
  type QueryTarget,
  type ServerState,
} from '../store/servers.ts';
import { QueryError, type QueryServer } from './query.ts';

/** Keeps the state of every active server up to date. */
export interface Poller {
  /** Checks every server once; resolves when all outcomes are stored. */
  poll(): Promise<void>;
  /** Ends the schedule. Queries under way are abandoned, what they would have said is not stored. */
  stop(): Promise<void>;
}

export interface PollerOptions {
  db: Database;
  query: QueryServer;
  log: Logger;
  /** Cron expression with seconds in front. */
  cron: string;
  now?: () => number;
}

/** So many checks in a row have to fail before a server counts as offline: one lost packet is no outage. */
const failuresUntilOffline = 2;
const mostParallelQueries = 16;
const sampleRetentionMs = 30 * 24 * 3_600_000;
const pruneEveryMs = 3_600_000;

/** Starts checking at once and then on the cron. */
export function startPoller({ db, query, log, cron, now = Date.now }: PollerOptions): Poller {
  const failures = new Map<string, number>();
  const stopping = new AbortController();
  const writes = new Set<Promise<void>>();
  let running: Promise<void> | null = null;
  let prunedAt = -Infinity;

  const write = async (work: () => Promise<void>): Promise<void> => {
    if (stopping.signal.aborted) return;
    const writing = work();
    writes.add(writing);
    await writing.finally(() => writes.delete(writing));
  };

  const check = async (target: QueryTarget): Promise<void> => {
    try {
      const reading = await query(target);
      if ((failures.get(target.id) ?? 0) >= failuresUntilOffline)
        log.info({ server: target.id }, 'server answers again');
      failures.delete(target.id);
      const { map, players, maxPlayers, observedAt: checkedAt } = reading;
      const state: ServerState = { status: 'ONLINE', map, players, maxPlayers, checkedAt };
      await write(() => saveServerState(db, target.id, state));
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      await noteFailure(target, error);
    }
  };

  const noteFailure = async (target: QueryTarget, error: QueryError): Promise<void> => {
    const count = (failures.get(target.id) ?? 0) + 1;
    failures.set(target.id, count);
    if (count < failuresUntilOffline) return;
    // What came back but cannot be read proves neither state.
    const status = error.reason === 'no_answer' ? 'OFFLINE' : 'UNKNOWN';
    if (count === failuresUntilOffline)
      log.warn({ server: target.id, status, reason: error.message }, 'server check failed');
    await write(async () => {
      const before = await findServerState(db, target.id);
      const { map = null, maxPlayers = null } = before ?? {};
      await saveServerState(db, target.id, { status, map, players: null, maxPlayers, checkedAt: now() });
    });
  };

  const pollAll = async (): Promise<void> => {
    const waiting = await listQueryTargets(db);
    const worker = async (): Promise<void> => {
      for (let target = waiting.shift(); target && !stopping.signal.aborted; target = waiting.shift()) {
        try {
          await check(target);
        } catch (error) {
          log.error({ err: error, server: target.id }, 'the state of a server could not be stored');
        }
      }
    };
    await Promise.all(Array.from({ length: mostParallelQueries }, worker));
    if (now() - prunedAt < pruneEveryMs) return;
    prunedAt = now();
    await write(() => pruneSamples(db, now() - sampleRetentionMs));
  };

  const poll = (): Promise<void> => {
    running ??= pollAll()
      .catch((error: unknown) => log.error({ err: error }, 'server check failed'))
      .finally(() => (running = null));
    return running;
  };

  const task = schedule(cron, poll);
  void poll();
  return {
    poll,
    async stop() {
      stopping.abort();
      await task.destroy();
      await Promise.allSettled(writes);
    },
  };
}
