import type { Logger } from 'pino';
import { saveServerStates, type ServerState } from '../store/servers.ts';
import type { Database } from '../store/database.ts';

/** Each commit has the service read anew what it remembers, so there is no more than one in this time. */
const shortestGapMs = 1_000;

/** Stores what checks come to, together where they come together. */
export interface StateWriter {
  /** The first is stored at once, what follows within a second. A later state of a server replaces an earlier one. */
  add(serverId: string, state: ServerState): void;
  /** Stores now what waits. Never rejects. */
  flush(): Promise<void>;
  /** Stores nothing more; resolves when what is being written is written. */
  stop(): Promise<void>;
}

export function createStateWriter(db: Database, log: Logger): StateWriter {
  const waiting = new Map<string, ServerState>();
  let writing: Promise<void> = Promise.resolve();
  let pause: NodeJS.Timeout | null = null;
  let stopped = false;

  const write = async (): Promise<void> => {
    if (waiting.size === 0 || stopped) return;
    const states = [...waiting].map(([serverId, state]) => ({ serverId, ...state }));
    waiting.clear();
    await saveServerStates(db, states).catch((error: unknown) =>
      log.error({ err: error }, `the states of ${states.length} servers could not be stored`),
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
