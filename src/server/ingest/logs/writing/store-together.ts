import { perKey } from '../../../../process/per-key.ts';
import type { HeldLease } from '../../../../process/leases.ts';
import type { Database, WriteDatabase } from '../../../store/engine/database.ts';
import { saveLogs, type SavedLogs, type ServerLogs } from '../../../store/repositories/logs/save-logs.ts';

/** Stores what was read of a server's logs. @param now epoch milliseconds */
export type StoreLogs = (logs: ServerLogs, now: number) => Promise<SavedLogs>;

/** Stores the logs of one server alone, as an import does. */
export function storeAlone(db: Database): StoreLogs {
  return async (logs, now) => {
    const [saved] = await saveLogs(db, [logs], now);
    return saved as SavedLogs;
  };
}

/** Logs of one server that wait for a transaction; its end settles their promise. */
interface WaitingLogs {
  logs: ServerLogs;
  now: number;
  lease: HeldLease | null;
  resolve(saved: SavedLogs): void;
  reject(error: unknown): void;
}

/** The logs of one project's servers. */
interface ProjectQueue {
  waiting: WaitingLogs[];
  isStoring: boolean;
}

/**
 * Stores the logs of a project's servers in one transaction after another: what comes while one runs is stored together in the
 * next. The lock, the people and the figures cost as many statements for several servers as for one.
 */
export class LogStore {
  readonly #writer: Pick<WriteDatabase, 'db' | 'shared'>;
  readonly #queueOf = perKey((): ProjectQueue => ({ waiting: [], isStoring: false }));

  constructor(writer: Pick<WriteDatabase, 'db' | 'shared'>) {
    this.#writer = writer;
  }

  /** @param lease that of the server, without which nothing is stored; null: this process has the store alone */
  async store(lease: HeldLease | null, logs: ServerLogs, now: number): Promise<SavedLogs> {
    return await new Promise((resolve, reject) => {
      const queue = this.#queueOf(logs.projectId);
      queue.waiting.push({ logs, now, lease, resolve, reject });
      if (!queue.isStoring) void this.#storeAll(queue);
    });
  }

  async #storeAll(queue: ProjectQueue): Promise<void> {
    queue.isStoring = true;
    let first = queue.waiting.shift();
    while (first !== undefined) {
      // A part of a backlog fills a transaction of its own.
      const others = first.logs.isBacklog ? [] : takeSmall(queue.waiting);
      await this.#storeTogether([first, ...others]);
      first = queue.waiting.shift();
    }
    queue.isStoring = false;
  }

  async #storeTogether(together: readonly [WaitingLogs, ...WaitingLogs[]]): Promise<void> {
    const { db, shared } = this.#writer;
    const [first, ...others] = together;
    const leases = together.flatMap(({ lease }) => lease ?? []);
    const fenced = leases.length === 0 ? db : (shared?.fenced(leases) ?? db);
    const now = Math.max(...together.map((each) => each.now));
    try {
      const saved = await saveLogs(fenced, [first.logs, ...others.map(({ logs }) => logs)], now);
      for (const [i, each] of together.entries()) each.resolve(saved[i] as SavedLogs);
    } catch (error) {
      if (others.length === 0) return first.reject(error);
      // The logs of one server may be the reason. Each is stored alone, so that only those fail.
      for (const each of together) await this.#storeTogether([each]);
    }
  }
}

/**
 * Servers in a transaction. After a start the whole runs of all of them wait at once: those of 50, with 200 players each, keep
 * other writers of the project waiting for 0.6 s, on PostgreSQL and two busy cores.
 */
const mostTogether = 50;

/** Removes and returns logs that share a transaction: those that are no part of a backlog. */
function takeSmall(waiting: WaitingLogs[]): WaitingLogs[] {
  const small = new Set(waiting.filter(({ logs }) => !logs.isBacklog).slice(0, mostTogether - 1));
  waiting.splice(0, waiting.length, ...waiting.filter((each) => !small.has(each)));
  return [...small];
}
