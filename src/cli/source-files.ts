import { type KnownHosts, LocalFiles, RemotePlaces } from 'game-files';
import { SourceFiles } from '../server/files/source-files.ts';
import type { Sources } from '../server/ingest/follower/sources.ts';

/** A user is waiting for the result, so an unresponsive path is given up sooner than in the service. */
const deadlineMs = 5_000;

/** Runs a command's work on the files of the config's sources. None of them can block it forever. */
export async function withSourceFiles<T>(
  { places }: Pick<Sources, 'places'>,
  knownHosts: KnownHosts,
  work: (files: SourceFiles) => Promise<T>,
): Promise<T> {
  const local = new LocalFiles({ deadlineMs });
  const remote = new RemotePlaces({ knownHosts });
  try {
    return await work(new SourceFiles(local, remote, places));
  } finally {
    local.close();
    await remote.close();
  }
}
