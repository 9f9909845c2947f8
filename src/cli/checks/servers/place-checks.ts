import type { ServerConfig } from '../../../config/schema.ts';
import { placeKinds } from '../../../config/schema/files.ts';
import { fileProblem, remedyOf, SourceError } from '../../../server/files/errors.ts';
import type { HostTrust } from '../../../server/files/remote/host-trust.ts';
import type { RemoteFiles } from '../../../server/files/remote/place-opener.ts';
import type { SourceFiles } from '../../../server/files/remote/source-files.ts';
import type { Files } from '../../../server/files/file-port.ts';
import { placeName } from '../../../server/store/repositories/projects/places.ts';
import { keyAddressOf } from '../../known-hosts.ts';
import { about, type Finding } from '../finding.ts';

/** Logs in where a server's files lie; null: they are on this machine. */
export async function checkPlace(
  { id, files: place }: ServerConfig,
  files: SourceFiles,
  trust: HostTrust,
): Promise<Finding | null> {
  const at = files.of(id);
  if (place === undefined || !isRemote(at)) return null;
  const tried = placeName(place);
  const login = about(`${id}.files`, tried);
  const address = keyAddressOf(place);
  try {
    const known = address === null ? null : await trust.find(address);
    await at.login();
    if (placeKinds[place.type].isUnencrypted) {
      return login.warning(
        'lets the user in, but the password and all data travel open',
        'use sftp or ftps if the host offers one of them',
      );
    }
    const fingerprint = address === null ? null : await trust.find(address);
    const key = fingerprint === null ? '' : `; it shows ${fingerprint}`;
    const isNew = fingerprint !== null && known === null;
    return login.good(`lets the user in${key}${isNew ? ', which is trusted from the first start on' : ''}`);
  } catch (error) {
    const remedy =
      remedyOf(error) ?? (placeKinds[place.type].provider === undefined ? 'check host and port' : undefined);
    return login.wrong(problemAt(tried, error), remedy);
  }
}

const isRemote = (files: Files): files is RemoteFiles => 'close' in files;

/** Why a path or place cannot be used, without its name, which the finding shows. */
export function problemAt(tried: string, error: unknown): string {
  const problem = error instanceof SourceError ? error.message : fileProblem(error);
  return problem.startsWith(`${tried}: `) ? problem.slice(tried.length + 2) : problem;
}
