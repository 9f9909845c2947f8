import { type Clock, systemClock } from '../clock.ts';
import { NitradoFiles } from '../nitrado/nitrado-files.ts';
import { budgetsByToken, type RequestBudget } from '../nitrado/request-budget.ts';
import { openConnectedPlace } from './connected-files.ts';
import { type KnownHosts, knownHostsInMemory } from './known-hosts.ts';
import type { Place } from './place.ts';
import type { RemoteFiles } from './remote-files.ts';

interface RemotePlacesOptions {
  clock?: Clock;
  /** By which keys hosts are known; default: each as it shows itself first in this process. */
  knownHosts?: KnownHosts;
}

/** Opens places, each once, however many servers have their files there. */
export class RemotePlaces {
  /** By the place as JSON; another password makes another place. */
  readonly #open = new Map<string, RemoteFiles>();
  readonly #clock: Clock;
  readonly #knownHosts: KnownHosts;
  /** The requests that Nitrado allows a token. */
  readonly #budgetOf: (token: string) => RequestBudget;
  /** The places that may be opened; null: any. */
  #kept: ReadonlySet<string> | null = null;

  constructor({ clock = systemClock, knownHosts = knownHostsInMemory() }: RemotePlacesOptions = {}) {
    this.#clock = clock;
    this.#knownHosts = knownHosts;
    this.#budgetOf = budgetsByToken(clock);
  }

  /** The files of a place. Nothing is sent before the first request. */
  at(place: Place): RemoteFiles {
    const key = JSON.stringify(place);
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const files = this.#files(place);
    // A poll that has not ended yet must not connect again.
    if (this.#kept?.has(key) === false) void files.close();
    else this.#open.set(key, files);
    return files;
  }

  /** Closes all other places. Until the next call, no other can be opened. */
  async keep(places: readonly Place[]): Promise<void> {
    const kept = new Set(places.map((place) => JSON.stringify(place)));
    this.#kept = kept;
    const left = [...this.#open].filter(([key]) => !kept.has(key));
    for (const [key] of left) this.#open.delete(key);
    await Promise.all(left.map(([, files]) => files.close()));
  }

  async close(): Promise<void> {
    await this.keep([]);
  }

  #files(place: Place): RemoteFiles {
    const clock = this.#clock;
    if (place.type === 'nitrado')
      return new NitradoFiles({ ...place, budget: this.#budgetOf(place.token), clock });
    return openConnectedPlace(place, { clock, knownHosts: this.#knownHosts });
  }
}
