import { perKey } from '../../../../process/per-key.ts';
import type { HeldLease } from '../../../../process/leases.ts';
import type { Database, WriteDatabase } from '../../../store/engine/database.ts';
import { saveLogs, type SavedLogs, type ServerLogs } from '../../../store/repositories/logs/save-logs.ts';

/** Stores what was read of a server's logs. @param now epoch milliseconds */
export type StoreLogs = (logs: ServerLogs, now: number) => Promise<SavedLogs>;

/** Stores the logs of one server alone, as an import does. */
export const storeAlone =
  (db: Database): StoreLogs =>
  async (logs, now) => {
    const [saved] = await saveLogs(db, [logs], now);
    return saved as SavedLogs;
  };

interface Waiting {
  logs: ServerLogs;
  now: number;
  lease: HeldLease | null;
  resolve(saved: SavedLogs): void;
  reject(error: unknown): void;
}

/**
 * Stores the logs of a project's servers: what comes while a transaction runs is stored together in the next one. Writers of a
 * project wait for one another, and the lock, the people and the figures cost as many statements for several servers as for one.
 */
export function createLogStore({
  db,
  shared,
}: Pick<WriteDatabase, 'db' | 'shared'>): (lease: HeldLease | null) => StoreLogs {
  const queueOf = perKey(() => ({ waiting: [] as Waiting[], isStoring: false }));

  async function store(together: readonly [Waiting, ...Waiting[]]): Promise<void> {
    const leases = together.flatMap(({ lease }) => lease ?? []);
    const fenced = leases.length === 0 ? db : (shared?.fenced(leases) ?? db);
    const [first, ...others] = together;
    try {
      const logs = others.map((each) => each.logs);
      const now = Math.max(...together.map((each) => each.now));
      const saved = await saveLogs(fenced, [first.logs, ...logs], now);
      for (const [i, each] of together.entries()) each.resolve(saved[i] as SavedLogs);
    } catch (error) {
      if (others.length === 0) return first.reject(error);
      // One server's logs may be the reason: the others are stored all the same.
      for (const each of together) await store([each]);
    }
  }

  return (lease) => async (logs, now) =>
    await new Promise((resolve, reject) => {
      const queue = queueOf(logs.projectId);
      queue.waiting.push({ logs, now, lease, resolve, reject });
      if (queue.isStoring) return;
      queue.isStoring = true;
      void (async () => {
        for (let first = queue.waiting.shift(); first !== undefined; first = queue.waiting.shift()) {
          // A part of a backlog fills a transaction.
          await store(first.logs.isBacklog ? [first] : [first, ...takeSmall(queue.waiting)]);
        }
        queue.isStoring = false;
      })();
    });
}

/**
 * Servers in a transaction. After a start the whole runs of all of them wait at once: those of 50, with 200 players each, keep
 * other writers of the project waiting for 0.6 s, on PostgreSQL and two busy cores.
 */
const mostTogether = 50;

/** Removes and returns logs that share a transaction: those that are no part of a backlog. */
function takeSmall(waiting: Waiting[]): Waiting[] {
  const small = new Set(waiting.filter(({ logs }) => !logs.isBacklog).slice(0, mostTogether - 1));
  waiting.splice(0, waiting.length, ...waiting.filter((each) => !small.has(each)));
  return [...small];
}
