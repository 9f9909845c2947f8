import type { Clock } from '../clock.ts';
import { placeName } from '../remote/place-name.ts';
import { ConnectedFiles } from '../remote/connected-files.ts';
import type { ConnectionOptions } from '../remote/connection.ts';
import type { KnownHosts } from '../remote/known-hosts.ts';
import type { FtpPlace } from './ftp-client.ts';

/** Each listing and each part of a file needs its own data connection. */
const pollEveryMs = 5_000;

/** The files of a place that is accessed by FTP, with or without TLS, over one control connection. */
export function openFtpPlace(
  place: FtpPlace,
  { clock, knownHosts, ...options }: { clock: Clock; knownHosts: KnownHosts } & Partial<ConnectionOptions>,
): ConnectedFiles {
  return new ConnectedFiles({
    name: placeName(place),
    async open(signal) {
      const { openFtp } = await import('./ftp-client.ts');
      const { FtpSession } = await import('./ftp-session.ts');
      return new FtpSession(await openFtp(place, knownHosts, signal));
    },
    secrets: [place.password],
    atOnce: 1,
    pollEveryMs,
    clock,
    ...options,
  });
}
