import { type Files, type KnownHosts, LocalFiles, type Place, RemotePlaces } from 'game-files';
import type { Sources } from '../../server/ingest/follower/sources.ts';
import { limits } from '../limits.ts';

/** The files of the config's sources: on this machine, or at the place of their server. */
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
  ofServer(serverId: string | undefined): Files {
    const place = this.placeOf(serverId);
    return place === undefined ? this.#local : this.#remote.at(place);
  }

  /** The place of a server's files; undefined: this machine. */
  placeOf(serverId: string | undefined): Place | undefined {
    return serverId === undefined ? undefined : this.#places.get(serverId);
  }
}

/** Runs a command's work on the files of the config's sources. None of them can block it forever. */
export async function withSourceFiles<T>(
  { places }: Pick<Sources, 'places'>,
  knownHosts: KnownHosts,
  work: (files: SourceFiles) => Promise<T>,
): Promise<T> {
  const local = new LocalFiles({ deadlineMs: limits.localFileMs });
  const remote = new RemotePlaces({ knownHosts });
  try {
    return await work(new SourceFiles(local, remote, places));
  } finally {
    local.close();
    await remote.close();
  }
}
