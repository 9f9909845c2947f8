import type { Clock } from '../clock.ts';
import { placeName } from '../remote/place-name.ts';
import { ConnectedFiles } from '../remote/connected-files.ts';
import type { ConnectionOptions } from '../remote/connection.ts';
import type { KnownHosts } from '../remote/known-hosts.ts';
import type { SftpPlace } from './sftp-client.ts';

/** Few requests per connection: enough for a poll every two seconds. */
const pollEveryMs = 2_000;
const requestsAtOnce = 4;

/** The files of a place that is reached by SFTP, over one connection. */
export function openSftpPlace(
  place: SftpPlace,
  { clock, knownHosts, ...options }: { clock: Clock; knownHosts: KnownHosts } & Partial<ConnectionOptions>,
): ConnectedFiles {
  return new ConnectedFiles({
    name: placeName(place),
    async open(signal) {
      const { openSftp } = await import('./sftp-client.ts');
      const { SftpSession } = await import('./sftp-session.ts');
      return new SftpSession(await openSftp(place, knownHosts, signal));
    },
    secrets: [place.password, place.passphrase],
    atOnce: requestsAtOnce,
    pollEveryMs,
    clock,
    ...options,
  });
}
