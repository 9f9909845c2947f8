import type { Logger } from 'pino';
import { ProblemLog } from '../../process/problem-log.ts';
import { saveServerStates, type ServerState } from '../store/repositories/projects/servers.ts';
import type { Database } from '../store/engine/database.ts';
import { logFailure } from '../store/engine/log-failure.ts';
import { count } from '../../process/count.ts';

/** The service drops its cached answers at each commit, so there is at most one commit in this time. */
const shortestGapMs = 1_000;

/** The servers that a process checks, of all. */
export interface PollShare {
  includes(serverId: string): boolean;
  /** Writes states of these servers as long as the process checks them. */
  databaseFor(serverIds: readonly string[]): Database;
}

export class StateBatch {
  readonly #share: PollShare;
  readonly #log: Logger;
  readonly #problems = new ProblemLog();
  readonly #waiting = new Map<string, ServerState>();
  #writing: Promise<void> = Promise.resolve();
  #pause: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(share: PollShare, log: Logger) {
    this.#share = share;
    this.#log = log;
  }

  /** The first state is stored at once, others within a second. A later state of a server replaces an earlier one. */
  add(serverId: string, state: ServerState): void {
    if (this.#stopped) return;
    this.#waiting.set(serverId, state);
    if (this.#pause === null) this.#flushAndPause();
  }

  /** Stores now. Never rejects. */
  flush(): Promise<void> {
    return (this.#writing = this.#writing.then(() => this.#write()));
  }

  /** Stores nothing more; resolves when a write under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#pause !== null) clearTimeout(this.#pause);
    await this.#writing;
  }

  #flushAndPause(): void {
    this.#pause = setTimeout(() => {
      this.#pause = null;
      if (this.#waiting.size > 0) this.#flushAndPause();
    }, shortestGapMs);
    void this.flush();
  }

  async #write(): Promise<void> {
    if (this.#stopped) return;
    const own = [...this.#waiting].filter(([serverId]) => this.#share.includes(serverId));
    this.#waiting.clear();
    if (own.length === 0) return;
    const states = own.map(([serverId, state]) => ({ serverId, ...state }));
    const db = this.#share.databaseFor(own.map(([serverId]) => serverId));
    try {
      await saveServerStates(db, states);
      this.#problems.update('states', null);
    } catch (error) {
      // The states of the next second fail by the same.
      if (this.#problems.update('states', (error as Error).message).error === undefined) return;
      logFailure(this.#log, error, `the state of ${count(states.length, 'server')} could not be stored`);
    }
  }
}
