import type { Clock } from '../../../../process/clock.ts';
import { placeName } from '../place-name.ts';
import { ConnectedFiles } from '../connected-files.ts';
import type { ConnectionOptions } from '../connection.ts';
import type { HostTrust } from '../host-trust.ts';
import type { PlaceOpener } from '../place-opener.ts';
import type { SftpPlace } from './sftp-client.ts';

/** Few requests per connection: enough for a poll every two seconds. */
const pollEveryMs = 2_000;
const requestsAtOnce = 4;

export function openSftpPlace(
  place: SftpPlace,
  { clock, trust, ...options }: { clock: Clock; trust: HostTrust } & Partial<ConnectionOptions>,
): ConnectedFiles {
  return new ConnectedFiles({
    name: placeName(place),
    async open(signal) {
      const { openSftp } = await import('./sftp-client.ts');
      const { SftpSession } = await import('./sftp-session.ts');
      return new SftpSession(await openSftp(place, trust, signal));
    },
    secrets: [place.password, place.passphrase],
    atOnce: requestsAtOnce,
    pollEveryMs,
    clock,
    ...options,
  });
}

export const sftpOpener: PlaceOpener<SftpPlace> =
  ({ clock, trust }) =>
  (place) =>
    openSftpPlace(place, { clock, trust });
