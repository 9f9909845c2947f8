import type { Clock } from '../clock.ts';
import type { FtpPlace } from '../ftp/ftp-client.ts';
import { openFtpPlace } from '../ftp/ftp-files.ts';
import { type NitradoPlace, openNitradoPlace } from '../nitrado/nitrado-files.ts';
import type { RequestBudget } from '../nitrado/request-budget.ts';
import type { SftpPlace } from '../sftp/sftp-client.ts';
import { openSftpPlace } from '../sftp/sftp-files.ts';
import type { KnownHosts } from './known-hosts.ts';
import type { RemoteFiles } from './remote-files.ts';

/** A host with files, and the login. Plain data with secrets in it, so it must never be logged: see `placeName`. */
export type Place = SftpPlace | FtpPlace | NitradoPlace;

/** What all places share. */
export interface PlaceContext {
  clock: Clock;
  knownHosts: KnownHosts;
  /** The requests that Nitrado allows a token. */
  budgetOf: (token: string) => RequestBudget;
}

export function openPlace(place: Place, { clock, knownHosts, budgetOf }: PlaceContext): RemoteFiles {
  switch (place.type) {
    case 'sftp':
      return openSftpPlace(place, { clock, knownHosts });
    case 'ftp':
    case 'ftps':
      return openFtpPlace(place, { clock, knownHosts });
    case 'nitrado':
      return openNitradoPlace(place, clock, budgetOf(place.token));
  }
}
