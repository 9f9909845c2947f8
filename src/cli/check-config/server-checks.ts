import type { ServerConfig } from '../../config/schema.ts';
import type { HostTrust } from '../../server/ingest/files/remote/host-trust.ts';
import type { SourceFiles } from '../../server/ingest/files/remote/source-files.ts';
import type { Finding } from './finding.ts';
import { checkPlace } from './place-checks.ts';
import { checkServerFiles } from './source-checks.ts';

/** Checks where a server's files lie, and each of them. Where the login fails, no path can be tried. */
export async function checkServer(
  server: ServerConfig,
  files: SourceFiles,
  trust: HostTrust,
): Promise<Finding[]> {
  const place = await checkPlace(server, files, trust);
  if (place?.status === 'wrong') return [place];
  return [...(place === null ? [] : [place]), ...(await checkServerFiles(server, files))];
}
