import type { Place } from '../../server/files/remote/place.ts';

/** A place that is reached with a user name and a password. */
export type HostPlace = Extract<Place, { host: string; username: string }>;

interface HostKind {
  /** The protocol, as panels of hosts call it. */
  readonly name: string;
  /** What the option with an address is for. */
  readonly about: string;
  /** Options besides that for the address and the one for a file with the password. */
  readonly moreOptions?: readonly (readonly [flags: string, about: string])[];
  /**
   * By what an address may begin with: the types of place that are tried, in order, each where the error of the one before
   * says "offers no TLS". The first one stands for the kind.
   */
  readonly schemes: Readonly<Record<string, readonly HostPlace['type'][]>>;
  /** The port that shows what an address without a scheme means. */
  readonly port?: number;
}

const kinds = {
  sftp: {
    name: 'SFTP',
    about: "where a rented server's files are",
    moreOptions: [
      ['--sftp-key-file <file>', 'a private key, instead of the password'],
      ['--sftp-passphrase-file <file>', 'a file with the passphrase of that key'],
    ],
    schemes: { sftp: ['sftp'] },
  },
  ftp: {
    name: 'FTP',
    about: 'the same by FTP; with TLS where the host offers it',
    schemes: { ftp: ['ftps', 'ftp'], ftps: ['ftps'] },
    port: 21,
  },
} as const satisfies Readonly<Record<string, HostKind>>;

export type HostOption = keyof typeof kinds;

/** By the option of `outpost init` that takes an address, `--sftp`. */
export const hostKinds: Readonly<Record<HostOption, HostKind>> = kinds;

export const hostOptions = Object.keys(hostKinds) as HostOption[];

const all = Object.values(hostKinds);

/** `SFTP or FTP`. */
export const hostKindNames = all.map(({ name }) => name).join(' or ');

const typesByScheme = new Map(all.flatMap(({ schemes }) => Object.entries(schemes)));

export const hostSchemes = [...typesByScheme.keys()];

export const hostKindOfType = (type: HostPlace['type']): HostKind =>
  all.find(({ schemes }) => Object.values(schemes).flat().includes(type)) as HostKind;

/**
 * The types of place that an address may mean, in the order in which they are tried. SFTP is meant where nothing says which.
 * @param option with which it was given; null: it was typed
 */
export function typesOfHost(
  { scheme, port }: { scheme: string | null; port: number | null },
  option: HostOption | null,
): readonly HostPlace['type'][] {
  if (scheme !== null) return typesByScheme.get(scheme) ?? [];
  const kind = all.find((one) => port !== null && one.port === port) ?? hostKinds[option ?? 'sftp'];
  return Object.values(kind.schemes)[0] ?? [];
}
