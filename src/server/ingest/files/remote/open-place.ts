import type { Clock } from '../../../../process/clock.ts';
import type { LoginsByHost } from './host-logins.ts';
import type { HostTrust } from './host-trust.ts';
import { openFtpPlace } from './ftp/ftp-files.ts';
import { openSftpPlace } from './sftp/sftp-files.ts';
import { NitradoFiles } from './nitrado/nitrado-files.ts';
import type { RequestBudgets } from './nitrado/request-budget.ts';
import type { Place } from './place.ts';
import type { RemoteFiles } from './remote-files.ts';

/** What all places share: the clock, the trust in hosts, the logins there, and the request budgets of accounts. */
export interface PlaceContext {
  clock: Clock;
  logins: LoginsByHost;
  nitradoBudgets: RequestBudgets;
  trust: HostTrust;
}

/** Creates the file access for a place. It connects with the first request. */
export function openPlace(place: Place, { clock, logins, nitradoBudgets, trust }: PlaceContext): RemoteFiles {
  switch (place.type) {
    case 'sftp':
      return openSftpPlace(place, { clock, trust, logins: logins.of(place.host) });
    case 'ftp':
    case 'ftps':
      return openFtpPlace(place, { clock, trust, logins: logins.of(place.host) });
    case 'nitrado':
      return new NitradoFiles({ ...place, budget: nitradoBudgets.of(place.token), clock });
  }
}
