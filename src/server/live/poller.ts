import { once } from 'node:events';
import { schedule } from 'node-cron';
import type { Logger } from 'pino';
import type { Database } from '../store/database.ts';
import {
  findServerState,
  listQueryTargets,
  pruneSamples,
  saveServerState,
  type QueryTarget,
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

/** Starts checking at once and then on the cron. */
export function startPoller({ db, query, log, cron, now = Date.now }: PollerOptions): Poller {
  const failures = new Map<string, number>();
  const stopping = new AbortController();
  const stopped = once(stopping.signal, 'abort').then(() => null);
  let running: Promise<void> | null = null;

  const check = async (target: QueryTarget): Promise<void> => {
    try {
      const reading = await Promise.race([query(target), stopped]);
      if (reading === null) return;
      if ((failures.get(target.id) ?? 0) >= failuresUntilOffline)
        log.info({ server: target.id }, 'server answers again');
      failures.delete(target.id);
      const { map, players, maxPlayers, observedAt } = reading;
      await saveServerState(db, target.id, {
        status: 'ONLINE',
        map,
        players,
        maxPlayers,
        checkedAt: observedAt,
      });
    } catch (error) {
      if (stopping.signal.aborted) return;
      if (!(error instanceof QueryError)) throw error;
      const count = (failures.get(target.id) ?? 0) + 1;
      failures.set(target.id, count);
      if (count < failuresUntilOffline) return;
      const before = await findServerState(db, target.id);
      // What came back but cannot be read proves neither state.
      const status = error.reason === 'no_answer' ? 'OFFLINE' : 'UNKNOWN';
      if (count === failuresUntilOffline)
        log.warn({ server: target.id, status, reason: error.message }, 'server check failed');
      await saveServerState(db, target.id, {
        status,
        map: before?.map ?? null,
        players: null,
        maxPlayers: before?.maxPlayers ?? null,
        checkedAt: now(),
      });
    }
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
    if (!stopping.signal.aborted) await pruneSamples(db, now() - sampleRetentionMs);
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
      await running;
    },
  };
}
