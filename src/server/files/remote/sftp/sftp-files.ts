import type { Clock } from '../../../../process/clock.ts';
import { placeName } from '../../../store/repositories/projects/places.ts';
import { ConnectedFiles } from '../connected-files.ts';
import { Connection, type ConnectionOptions } from '../connection.ts';
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
  const connection = new Connection({
    name: placeName(place),
    async open(signal) {
      const { openSftp } = await import('./sftp-client.ts');
      const { SftpSession } = await import('./sftp-session.ts');
      return await SftpSession.open(await openSftp(place, trust, signal));
    },
    secrets: [place.password, place.passphrase],
    atOnce: requestsAtOnce,
    clock,
    ...options,
  });
  return new ConnectedFiles(connection, { clock, pollEveryMs: () => pollEveryMs });
}

export const sftpOpener: PlaceOpener<SftpPlace> =
  ({ clock, trust, logins }) =>
  (place) =>
    openSftpPlace(place, { clock, trust, logins: logins.of(place.host) });
