import type { Clock } from '../../../../process/clock.ts';
import { placeName } from '../place-name.ts';
import { ConnectedFiles } from '../connected-files.ts';
import type { ConnectionOptions } from '../connection.ts';
import type { HostTrust } from '../host-trust.ts';
import type { PlaceOpener } from '../place-opener.ts';
import type { FtpPlace } from './ftp-client.ts';

/** Each listing and each part of a file needs its own data connection. */
const pollEveryMs = 5_000;

/** The files of a place that is accessed by FTP, with or without TLS, over one control connection. */
export function openFtpPlace(
  place: FtpPlace,
  { clock, trust, ...options }: { clock: Clock; trust: HostTrust } & Partial<ConnectionOptions>,
): ConnectedFiles {
  return new ConnectedFiles({
    name: placeName(place),
    async open(signal) {
      const { openFtp } = await import('./ftp-client.ts');
      const { FtpSession } = await import('./ftp-session.ts');
      return new FtpSession(await openFtp(place, trust, signal));
    },
    secrets: [place.password],
    atOnce: 1,
    pollEveryMs,
    clock,
    ...options,
  });
}

export const ftpOpener: PlaceOpener<FtpPlace> =
  ({ clock, trust }) =>
  (place) =>
    openFtpPlace(place, { clock, trust });
