import { type Clock, systemClock } from '../../../process/clock.ts';
import type { HostState, HostStateOpener } from './host-state.ts';
import { nitradoStateOpener } from './nitrado/nitrado-state.ts';
import type { Place } from './place.ts';

/** The kinds of places whose hosts say how the game server is that has its files there. */
const openers: Partial<Record<Place['type'], HostStateOpener<never>>> = {
  nitrado: nitradoStateOpener,
};

/** What the hosts of game servers say of them, asked for once however many servers and callers want it. */
export class HostStates {
  readonly #openers: ReadonlyMap<string, (place: never) => HostState>;
  /** By the place as JSON. */
  readonly #open = new Map<string, HostState>();

  constructor(clock: Clock = systemClock) {
    this.#openers = new Map(Object.entries(openers).map(([type, opener]) => [type, opener(clock)]));
  }

  /** Null: the host says nothing. */
  at(place: Place): HostState | null {
    const opener = this.#openers.get(place.type);
    if (opener === undefined) return null;
    const key = JSON.stringify(place);
    const state = this.#open.get(key) ?? opener(place as never);
    this.#open.set(key, state);
    return state;
  }

  /** Closes all other places: the config has them no more. */
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
