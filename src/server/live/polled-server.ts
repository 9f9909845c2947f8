import type { QueryTarget, ServerState } from '../store/servers.ts';
import type { QueryError, QueryResult } from './query.ts';

/** A server is shown as down after this many failed checks in a row: one lost packet is no outage. */
const failuresUntilShown = 2;

/** The outcome of one check. */
export interface CheckOutcome {
  /** The state to store; null: unchanged. */
  state: ServerState | null;
  /** What to log. */
  change: 'failed' | 'recovered' | null;
}

/** A server that is checked at its own place in the period. */
export class PolledServer {
  target: QueryTarget;
  /** When the next check is due, by the monotonic clock. */
  dueAt: number;
  /** The check that is under way or waits for its turn. */
  check: Promise<void> | null = null;
  /** How many checks have ended. */
  checksEnded = 0;
  /** When the latest check ended, by the monotonic clock. */
  endedAt: number | null = null;
  /** The state that was stored last; null: none yet. */
  state: ServerState | null = null;
  #failures = 0;
  /** In a row, at the end. */
  #silences = 0;

  constructor(target: QueryTarget, dueAt: number) {
    this.target = target;
    this.dueAt = dueAt;
  }

  /** Whether the latest checks met silence; the next one probably will, too. */
  get isSilent(): boolean {
    return this.#silences >= failuresUntilShown;
  }

  answered({ map, players, maxPlayers, observedAt: checkedAt }: QueryResult): CheckOutcome {
    const change = this.#failures >= failuresUntilShown ? 'recovered' : null;
    this.#failures = 0;
    this.#silences = 0;
    this.state = { status: 'ONLINE', map, players, maxPlayers, checkedAt };
    return { state: this.state, change };
  }

  failed({ reason }: QueryError, checkedAt: number): CheckOutcome {
    this.#failures += 1;
    this.#silences = reason === 'no_answer' ? this.#silences + 1 : 0;
    if (this.#failures < failuresUntilShown) return { state: null, change: null };
    // Only silence proves that a server is down.
    const status = this.isSilent ? 'OFFLINE' : 'UNKNOWN';
    this.state = { status, map: null, players: null, maxPlayers: null, checkedAt };
    return { state: this.state, change: this.#failures === failuresUntilShown ? 'failed' : null };
  }
}
