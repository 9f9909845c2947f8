import { ConnectedFiles, type OpenOptions } from '../remote/connected-files.ts';
import { placeName } from '../remote/place-address.ts';
import type { SftpPlace } from './sftp-place.ts';

export function openSftpPlace(place: SftpPlace, { knownHosts, ...options }: OpenOptions): ConnectedFiles {
  return new ConnectedFiles({
    name: placeName(place),
    // Its library is loaded when it is needed.
    async open(signal) {
      const { openSftp } = await import('./sftp-client.ts');
      const { SftpSession } = await import('./sftp-session.ts');
      return new SftpSession(await openSftp(place, knownHosts, signal));
    },
    secrets: [place.password, place.passphrase],
    pollEveryMs: 2_000,
    atOnce: 4,
    ...options,
  });
}
