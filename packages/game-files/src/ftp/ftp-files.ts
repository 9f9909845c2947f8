import { ConnectedFiles, type OpenOptions } from '../remote/connected-files.ts';
import { placeName } from '../remote/place-address.ts';
import type { FtpPlace } from './ftp-client.ts';

export function openFtpPlace(place: FtpPlace, { knownHosts, ...options }: OpenOptions): ConnectedFiles {
  return new ConnectedFiles({
    name: placeName(place),
    // Its library is loaded when it is needed.
    async open(signal) {
      const { openFtp } = await import('./ftp-client.ts');
      const { FtpSession } = await import('./ftp-session.ts');
      return new FtpSession(await openFtp(place, knownHosts, signal));
    },
    secrets: [place.password],
    // Each listing and each part of a file needs a data connection of its own.
    pollEveryMs: 5_000,
    atOnce: 1,
    ...options,
  });
}
