import type { Place } from '../../server/files/remote/place.ts';

/** A place that is reached with a user name and a password. */
export type HostPlace = Extract<Place, { host: string; username: string }>;

export interface HostKind {
  /** The protocol, as panels of hosts call it. */
  name: string;
  /** By what an address may begin with: the types of place that are tried, in order. Without a beginning, the first counts. */
  schemes: Readonly<Record<string, readonly HostPlace['type'][]>>;
  /** An address without a scheme is of the kind if it has this port. */
  port?: number;
  /** What the option with an address is for. */
  about: string;
  /** Options besides that for the address and the one for a file with the password. */
  moreOptions?: readonly (readonly [flags: string, about: string])[];
}

/** By the option of `outpost init` that takes an address, `--sftp`. SFTP is meant where nothing says which. */
export const hostKinds = {
  sftp: {
    name: 'SFTP',
    schemes: { sftp: ['sftp'] },
    about: "where a rented server's files are",
    moreOptions: [
      ['--sftp-key-file <file>', 'a private key, instead of the password'],
      ['--sftp-passphrase-file <file>', 'a file with the passphrase of that key'],
    ],
  },
  ftp: {
    name: 'FTP',
    schemes: { ftp: ['ftps', 'ftp'], ftps: ['ftps'] },
    port: 21,
    about: 'the same by FTP; with TLS where the host offers it',
  },
} as const satisfies Record<string, HostKind>;

export type HostOption = keyof typeof hostKinds;

export const hostOptions = Object.keys(hostKinds) as HostOption[];

const kinds: readonly HostKind[] = Object.values(hostKinds);

/** `SFTP or FTP`. */
export const hostKindNames = kinds.map(({ name }) => name).join(' or ');

export const hostSchemes = kinds.flatMap(({ schemes }) => Object.keys(schemes));

export const hostKindOfType = (type: HostPlace['type']): HostKind =>
  kinds.find(({ schemes }) => Object.hasOwn(schemes, type)) ?? hostKinds.sftp;

/** The types of place that an address may mean, in the order in which they are tried. @param option with which it was given; null: it was typed */
export function typesOfHost(
  { scheme, port }: { scheme: string | null; port: number | null },
  option: HostOption | null,
): readonly HostPlace['type'][] {
  for (const { schemes } of kinds) {
    const types = scheme === null ? undefined : schemes[scheme];
    if (types !== undefined) return types;
  }
  const usual: HostKind = hostKinds.sftp;
  const given: HostKind = option === null ? usual : hostKinds[option];
  const byPort = kinds.find((kind) => kind.port !== undefined && kind.port === port);
  const kind = given === usual ? (byPort ?? usual) : given;
  return Object.values(kind.schemes)[0] ?? [];
}
