import type { ServerConfig } from '../../config/schema.ts';
import type { HostTrust } from '../../server/files/remote/host-trust.ts';
import type { SourceFiles } from '../../server/files/remote/source-files.ts';
import type { FollowedSources } from '../followed-sources.ts';
import type { Finding } from './finding.ts';
import { followedPlace } from './followed-checks.ts';
import { checkPlace } from './place-checks.ts';
import { checkServerFiles, isTried } from './source-checks.ts';

/**
 * Checks where a server's files lie, and each of them. Where the login fails, no path can be tried. Nobody logs in for
 * what a running service follows.
 */
export async function checkServer(
  server: ServerConfig,
  files: SourceFiles,
  trust: HostTrust,
  followed: FollowedSources,
): Promise<Finding[]> {
  const running = followed.at(server);
  if (running !== null && !isTried(server, followed)) {
    return [followedPlace(server.id, running), ...(await checkServerFiles(server, files, followed))];
  }
  const place = await checkPlace(server, files, trust);
  if (place?.status === 'wrong') return [running === null ? place : { ...place, next: besideRunning(place) }];
  return [...(place === null ? [] : [place]), ...(await checkServerFiles(server, files, followed))];
}

const besideRunning = ({ next = '' }: Finding): string =>
  `${next}; if the host allows one connection, the running Outpost has it: restart it to try the new paths`;
