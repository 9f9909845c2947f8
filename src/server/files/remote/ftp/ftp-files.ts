import type { Clock } from '../../../../process/clock.ts';
import { placeName } from '../../../store/repositories/projects/places.ts';
import { ConnectedFiles } from '../connected-files.ts';
import type { ConnectionOptions } from '../connection.ts';
import type { HostTrust } from '../host-trust.ts';
import type { PlaceOpener } from '../place-opener.ts';
import type { FtpPlace } from './ftp-client.ts';
import { RereadBudget } from './reread-budget.ts';

/** Each listing and each part of a file needs its own data connection. */
const pollEveryMs = 5_000;

/** The files of a place that is accessed by FTP, with or without TLS, over one control connection. */
export function openFtpPlace(
  place: FtpPlace,
  { clock, trust, ...options }: { clock: Clock; trust: HostTrust } & Partial<ConnectionOptions>,
): ConnectedFiles {
  const rereads = new RereadBudget(clock.monotonic);
  return new ConnectedFiles({
    name: placeName(place),
    async open(signal) {
      const { openFtp } = await import('./ftp-client.ts');
      const { FtpSession } = await import('./ftp-session.ts');
      return new FtpSession(await openFtp(place, trust, signal), rereads);
    },
    secrets: [place.password],
    atOnce: 1,
    pollEveryMs: () => Math.max(pollEveryMs, rereads.pollEveryMs),
    problem: () => rereads.problem,
    clock,
    ...options,
  });
}

export const ftpOpener: PlaceOpener<FtpPlace> =
  ({ clock, trust, logins }) =>
  (place) =>
    openFtpPlace(place, { clock, trust, logins: logins(place.host) });
