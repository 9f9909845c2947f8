import type { Sources } from '../server/ingest/configured-sources.ts';
import type { RemotePlaces } from '../server/ingest/files/remote/remote-places.ts';
import {
  forgetFollowedSources,
  type PlacedSource,
  placedSources,
  saveFollowedSources,
} from '../server/ingest/followed-sources.ts';
import type { Database } from '../server/store/database.ts';

/** Stores which sources at other hosts this process follows, for commands that run beside it. */
export class FollowedSources {
  readonly #db: Database;
  readonly #remote: RemotePlaces;
  readonly #now: () => number;
  #stored: readonly PlacedSource[] = [];
  #answered = 0;

  constructor(db: Database, remote: RemotePlaces, now: () => number) {
    this.#db = db;
    this.#remote = remote;
    this.#now = now;
  }

  /** @param full whether to store them though no other host has answered meanwhile */
  async store(sources: readonly Sources[], full: boolean): Promise<void> {
    const placed = sources.flatMap(placedSources);
    const answeredAt = ({ place }: PlacedSource): number | null => this.#remote.answeredAt(place);
    const answered = placed.filter((source) => answeredAt(source) !== null).length;
    if (!full && answered === this.#answered) return;
    this.#stored = placed;
    this.#answered = answered;
    await saveFollowedSources(this.#db, placed, (place) => this.#remote.answeredAt(place), this.#now());
  }

  async forget(): Promise<void> {
    if (this.#stored.length > 0) await forgetFollowedSources(this.#db, this.#stored);
  }
}
