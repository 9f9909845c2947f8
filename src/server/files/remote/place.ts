import { ftpOpener } from './ftp/ftp-files.ts';
import { nitradoOpener } from './nitrado/nitrado-files.ts';
import type { PlaceContext, PlaceOpener, RemoteFiles } from './place-opener.ts';
import { sftpOpener } from './sftp/sftp-files.ts';

/** How the places of each kind are opened. What else is known of a kind stands in `config/schema/files.ts`. */
const openers = {
  sftp: sftpOpener,
  ftp: ftpOpener,
  ftps: ftpOpener,
  nitrado: nitradoOpener,
} satisfies Record<string, PlaceOpener<never>>;

type Opener = (typeof openers)[keyof typeof openers];

/** The remote host and login for a server's files. Plain data with secrets in it, so it must never be logged. */
export type Place = Parameters<ReturnType<Opener>>[0];

/** @returns creates the file access for a place; it connects with the first request */
export function placeOpener(context: PlaceContext): (place: Place) => RemoteFiles {
  const ready = Object.entries(openers).map(([type, opener]) => [type, opener(context)] as const);
  const byType = new Map<string, (place: never) => RemoteFiles>(ready);
  return (place) => (byType.get(place.type) as (place: Place) => RemoteFiles)(place);
}
