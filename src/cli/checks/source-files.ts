import { type KnownHosts, LocalFiles, RemotePlaces } from 'game-files';
import { SourceFiles } from '../../server/files/source-files.ts';
import type { Sources } from '../../server/ingest/follower/sources.ts';
import { limits } from '../limits.ts';

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
