import type { ServerConfig } from '../../config/schema.ts';
import { placeKinds } from '../../config/schema/files.ts';
import { fileProblem, remedyOf } from '../../server/files/errors.ts';
import type { HostTrust } from '../../server/files/remote/host-trust.ts';
import type { RemoteFiles } from '../../server/files/remote/remote-files.ts';
import type { SourceFiles } from '../../server/files/remote/source-files.ts';
import type { Files } from '../../server/files/file-port.ts';
import { placeName } from '../../server/store/repositories/projects/places.ts';
import { keyAddressOf } from '../known-hosts.ts';
import type { Finding } from './finding.ts';

/** Logs in where a server's files lie; null: they are on this machine, or a login alone says nothing there. */
export async function checkPlace(
  { id, files: place }: ServerConfig,
  files: SourceFiles,
  trust: HostTrust,
): Promise<Finding | null> {
  const at = files.of(id);
  if (place === undefined || !isRemote(at) || at.login === undefined) return null;
  const finding = { key: `${id}.files`, tried: placeName(place) };
  const address = keyAddressOf(place);
  try {
    const known = address === null ? null : await trust.find(address);
    await at.login();
    if (placeKinds[place.type].isUnencrypted) {
      return {
        ...finding,
        status: 'warning',
        found: 'lets the user in, but the password and all data travel open',
        next: 'use sftp or ftps if the host offers one of them',
      };
    }
    const fingerprint = address === null ? null : await trust.find(address);
    const key = fingerprint === null ? '' : `; it shows ${fingerprint}`;
    const isNew = fingerprint !== null && known === null;
    return {
      ...finding,
      status: 'good',
      found: `lets the user in${key}${isNew ? ', which is trusted from the first start on' : ''}`,
    };
  } catch (error) {
    const problem = fileProblem(error);
    const found = problem.startsWith(`${finding.tried}: `)
      ? problem.slice(finding.tried.length + 2)
      : problem;
    const next = remedyOf(error) ?? 'check host and port';
    return { ...finding, status: 'wrong', found, next };
  }
}

const isRemote = (files: Files): files is RemoteFiles => 'close' in files;
