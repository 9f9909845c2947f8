import { type Clock, systemClock } from '../clock.ts';
import type { FtpPlace } from '../ftp/ftp-client.ts';
import { openFtpPlace } from '../ftp/ftp-files.ts';
import type { NitradoPlace } from '../nitrado/api.ts';
import { NitradoFiles } from '../nitrado/nitrado-files.ts';
import type { ServerState } from '../nitrado/nitrado-state.ts';
import { RequestBudget } from '../nitrado/request-budget.ts';
import type { SftpPlace } from '../sftp/sftp-place.ts';
import { openSftpPlace } from '../sftp/sftp-files.ts';
import { type KnownHosts, knownHostsInMemory } from './known-hosts.ts';
import type { RemoteFiles } from '../file-access.ts';

/** A host with files, and the login. Plain data with secrets in it, so it must never be logged: see `placeName`. */
export type Place = SftpPlace | FtpPlace | NitradoPlace;

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
  /** The requests that Nitrado allows, by token. */
  readonly #budgets = new Map<string, RequestBudget>();
  /** The places that may be opened; null: any. */
  #kept: ReadonlySet<string> | null = null;

  constructor({ clock = systemClock, knownHosts = knownHostsInMemory() }: RemotePlacesOptions = {}) {
    this.#clock = clock;
    this.#knownHosts = knownHosts;
  }

  /** The files of a place. Nothing is sent before the first request. */
  at(place: Place): RemoteFiles {
    const key = JSON.stringify(place);
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const files = this.#filesOf(place);
    // A poll that has not ended yet must not connect again.
    if (this.#kept?.has(key) === false) void files.close();
    else this.#open.set(key, files);
    return files;
  }

  #filesOf(place: Place): RemoteFiles {
    const [clock, knownHosts] = [this.#clock, this.#knownHosts];
    if (place.type === 'sftp') return openSftpPlace(place, { clock, knownHosts });
    if (place.type !== 'nitrado') return openFtpPlace(place, { clock, knownHosts });
    const budget = this.#budgets.get(place.token) ?? new RequestBudget(clock);
    this.#budgets.set(place.token, budget);
    return new NitradoFiles({ ...place, budget, clock });
  }

  /**
   * How the host says that a game server is, asked for once however many callers want it. Null: it says nothing, or the game server
   * answers queries itself. @throws FileError
   */
  async stateAt(place: Place): Promise<ServerState | null> {
    const files = place.type === 'nitrado' ? this.at(place) : null;
    return files instanceof NitradoFiles ? await files.state() : null;
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
}
