import type { Logger } from 'pino';
import { saveServerStates, type ServerState } from '../store/repositories/projects/servers.ts';
import type { Database } from '../store/engine/database.ts';
import { logFailure } from '../store/engine/log-failure.ts';

/** The service drops its cached answers at each commit, so there is at most one commit in this time. */
const shortestGapMs = 1_000;

/** Stores the states of servers in batches. */
export interface StateBatch {
  /** The first state is stored at once, others within a second. A later state of a server replaces an earlier one. */
  add(serverId: string, state: ServerState): void;
  /** Stores now. Never rejects. */
  flush(): Promise<void>;
  /** Stores nothing more; resolves when a write under way has ended. */
  stop(): Promise<void>;
}

/** The servers that a process checks, of all. */
export interface PollShare {
  includes(serverId: string): boolean;
  /** Writes states of these servers as long as the process checks them. */
  databaseFor(serverIds: readonly string[]): Database;
}

export function createStateBatch({ includes, databaseFor }: PollShare, log: Logger): StateBatch {
  const waiting = new Map<string, ServerState>();
  let writing: Promise<void> = Promise.resolve();
  let pause: NodeJS.Timeout | null = null;
  let stopped = false;

  const write = async (): Promise<void> => {
    if (stopped) return;
    const own = [...waiting].filter(([serverId]) => includes(serverId));
    waiting.clear();
    if (own.length === 0) return;
    const states = own.map(([serverId, state]) => ({ serverId, ...state }));
    const db = databaseFor(own.map(([serverId]) => serverId));
    await saveServerStates(db, states).catch((error: unknown) =>
      logFailure(log, error, `the states of ${states.length} servers could not be stored`),
    );
  };
  const flush = (): Promise<void> => (writing = writing.then(write));
  const flushAfterPause = (): void => {
    pause = null;
    if (waiting.size > 0) flushAndPause();
  };
  const flushAndPause = (): void => {
    pause = setTimeout(flushAfterPause, shortestGapMs);
    void flush();
  };

  return {
    add(serverId, state) {
      if (stopped) return;
      waiting.set(serverId, state);
      if (pause === null) flushAndPause();
    },
    flush,
    async stop() {
      stopped = true;
      if (pause !== null) clearTimeout(pause);
      await writing;
    },
  };
}
