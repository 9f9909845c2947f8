import { type Clock, systemClock } from '../clock.ts';
import { NitradoState } from './nitrado-state.ts';
import { budgetsByToken, type RequestBudget } from './request-budget.ts';
import type { Place } from '../remote/remote-places.ts';

/**
 * How hosts say that game servers are, asked for once however many callers want it. It has a request budget of its own: where the same
 * token reads files in this process or another, each plans with half of what an hour allows.
 */
export class HostStates {
  readonly #clock: Clock;
  readonly #budgetOf: (token: string) => RequestBudget;
  /** By the place as JSON. */
  readonly #open = new Map<string, NitradoState>();

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
    this.#budgetOf = budgetsByToken(clock);
  }

  /** Null: the host says nothing. */
  at(place: Place): NitradoState | null {
    if (place.type !== 'nitrado') return null;
    const key = JSON.stringify(place);
    const state =
      this.#open.get(key) ??
      new NitradoState({ ...place, budget: this.#budgetOf(place.token), clock: this.#clock });
    this.#open.set(key, state);
    return state;
  }

  /** Closes all other places. */
  keep(places: readonly Place[]): void {
    const kept = new Set(places.map((place) => JSON.stringify(place)));
    for (const [key, state] of this.#open) {
      if (kept.has(key)) continue;
      this.#open.delete(key);
      state.close();
    }
  }

  close(): void {
    this.keep([]);
  }
}
