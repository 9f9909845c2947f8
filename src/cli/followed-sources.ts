import type { ServerConfig } from '../config/schema.ts';
import { logFormats } from '../server/games/index.ts';
import type { Sources } from '../server/ingest/follower/sources.ts';
import type { SourceKind } from '../server/ingest/follower/followed-sources.ts';
import { overviewOfSources, type SourceOverview } from '../server/ingest/source-overview.ts';
import { placeName } from '../server/store/repositories/projects/places.ts';
import type { ReadStore } from './open-store.ts';

/**
 * The sources that a running service follows at other hosts. A command shows what it has stored of them: many hosts
 * refuse a second connection.
 */
export class FollowedSources {
  readonly #overview: readonly SourceOverview[];

  constructor(overview: readonly SourceOverview[]) {
    this.#overview = overview;
  }

  /** What the store has of them; none if there is no store, or it cannot be read. */
  static async read(read: ReadStore, sources: Sources): Promise<FollowedSources> {
    if ((sources.places?.size ?? 0) === 0) return new FollowedSources([]);
    return new FollowedSources(
      await read(async (db) => await overviewOfSources(db, sources, null, logFormats), []),
    );
  }

  /** @param path as the store names it; null: the source is to be tried itself */
  find(kind: SourceKind, id: string, path: string): SourceOverview | null {
    return this.#overview.find((one) => one.kind === kind && one.id === id && one.path === path) ?? null;
  }

  /** One of those at the place of a server; null: no service has a connection there. */
  at({ files: place }: Pick<ServerConfig, 'files'>): SourceOverview | null {
    if (place === undefined) return null;
    return this.#overview.find((one) => one.place?.name === placeName(place)) ?? null;
  }
}
