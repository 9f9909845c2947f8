import type { Files, Place, RemotePlaces } from 'game-files';

/** The files of all sources: those of this machine, and those at their servers' places. */
export class SourceFiles {
  readonly #local: Files;
  readonly #remote: RemotePlaces;
  readonly #places: ReadonlyMap<string, Place>;

  constructor(local: Files, remote: RemotePlaces, places: ReadonlyMap<string, Place> = new Map()) {
    this.#local = local;
    this.#remote = remote;
    this.#places = places;
  }

  /** @param serverId the server on whose host the source is; undefined: this machine */
  of(serverId: string | undefined): Files {
    const place = this.placeOf(serverId);
    return place === undefined ? this.#local : this.#remote.at(place);
  }

  /** The place of a server's files; undefined: this machine. */
  placeOf(serverId: string | undefined): Place | undefined {
    return serverId === undefined ? undefined : this.#places.get(serverId);
  }
}
