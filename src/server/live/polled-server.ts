import type { PolledTarget, ServerState } from '../store/repositories/projects/servers.ts';
import type { QueryError, QueryResult } from './query.ts';

/** A server is shown as down after this many consecutive failed checks: one lost packet is no outage. */
const failuresUntilShown = 2;

export interface CheckOutcome {
  /** The state to store; null: unchanged. */
  state: ServerState | null;
  /** What the log says of it; null: nothing. */
  change: 'failed' | 'recovered' | null;
}

/**
 * A server that is checked: when, and what its checks so far say of it. They make it
 *
 * - ONLINE with an answer;
 * - OFFLINE after two failures, where the last two were silence and silence proves that it is down;
 * - UNKNOWN after two failures otherwise. One failure changes nothing.
 */
export class PolledServer {
  target: PolledTarget;
  /** When the next check is due, by the monotonic clock. */
  dueAt: number;
  /** From the first check to the second; later ones are a period apart. */
  readonly offsetMs: number;
  wasChecked = false;
  /** The check that is running or waiting. */
  check: Promise<void> | null = null;
  #hasAnswered: boolean;
  #failures = 0;
  /** Consecutive checks without an answer, or whose host said that the server does not run. */
  #silences = 0;

  constructor(target: PolledTarget, dueAt: number, offsetMs: number) {
    this.target = target;
    this.dueAt = dueAt;
    this.offsetMs = offsetMs;
    this.#hasAnswered = target.hasAnswered;
  }

  /** Whether the latest checks got no answer, so that the next one probably gets none either. */
  get isSilent(): boolean {
    return this.#silences >= failuresUntilShown;
  }

  answered({ map, players, maxPlayers, observedAt: checkedAt }: QueryResult): CheckOutcome {
    const change = this.#failures >= failuresUntilShown ? 'recovered' : null;
    this.#failures = 0;
    this.#silences = 0;
    this.#hasAnswered = true;
    return { state: { status: 'ONLINE', map, players, maxPlayers, checkedAt }, change };
  }

  failed({ reason, observedAt }: QueryError, now: number): CheckOutcome {
    this.#failures += 1;
    this.#silences = reason === 'no_answer' || reason === 'stopped' ? this.#silences + 1 : 0;
    if (this.#failures < failuresUntilShown) return { state: null, change: null };
    // Only silence proves that a server is down. Servers on consoles never answer, and have no query port in the config.
    const provesIt = reason === 'stopped' || this.target.queryPort !== null || this.#hasAnswered;
    const status = this.isSilent && provesIt ? 'OFFLINE' : 'UNKNOWN';
    const checkedAt = observedAt ?? now;
    const state: ServerState = { status, map: null, players: null, maxPlayers: null, checkedAt };
    return { state, change: this.#failures === failuresUntilShown ? 'failed' : null };
  }
}
