import type { Place } from '../../server/files/remote/place.ts';

/** A place that is reached with a user name and a password. */
export type HostPlace = Extract<Place, { host: string; username: string }>;

export interface HostKind {
  /** The protocol, as panels of hosts call it. */
  name: string;
  /** What the option with an address is for. */
  about: string;
  /** Options besides that for the address and the one for a file with the password. */
  moreOptions: readonly (readonly [flags: string, about: string])[];
}

export type HostOption = 'sftp' | 'ftp';

/** By the option of `outpost init` that takes an address, `--sftp`. */
export const hostKinds: Readonly<Record<HostOption, HostKind>> = {
  sftp: {
    name: 'SFTP',
    about: "where a rented server's files are",
    moreOptions: [
      ['--sftp-key-file <file>', 'a private key, instead of the password'],
      ['--sftp-passphrase-file <file>', 'a file with the passphrase of that key'],
    ],
  },
  ftp: { name: 'FTP', about: 'the same by FTP; with TLS where the host offers it', moreOptions: [] },
};

export const hostOptions = Object.keys(hostKinds) as HostOption[];

/** `SFTP or FTP`. */
export const hostKindNames = Object.values(hostKinds)
  .map(({ name }) => name)
  .join(' or ');

/** By what an address may begin with: the types of place that are tried, in order. */
const typesByScheme: Readonly<Record<string, readonly HostPlace['type'][]>> = {
  sftp: ['sftp'],
  ftp: ['ftps', 'ftp'],
  ftps: ['ftps'],
};

export const hostSchemes = Object.keys(typesByScheme);

export const hostKindOfType = (type: HostPlace['type']): HostKind =>
  hostKinds[type === 'sftp' ? 'sftp' : 'ftp'];

const ftpPort = 21;

/**
 * The types of place that an address may mean, in the order in which they are tried. SFTP is meant where nothing says which.
 * @param option with which it was given; null: it was typed
 */
export function typesOfHost(
  { scheme, port }: { scheme: string | null; port: number | null },
  option: HostOption | null,
): readonly HostPlace['type'][] {
  const usual = option === 'ftp' || port === ftpPort ? 'ftp' : 'sftp';
  return typesByScheme[scheme ?? usual] ?? [];
}
