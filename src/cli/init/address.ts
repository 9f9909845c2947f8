import { host as hostSchema } from '../../config/schema/values.ts';
import { CommandFailure } from '../output.ts';

export interface LoginAddress {
  /** Where nothing says which: FTP at its usual port, else SFTP. */
  scheme: 'sftp' | 'ftp' | 'ftps';
  username: string;
  host: string;
  /** Null: the usual one. */
  port: number | null;
  /** Null: the address contains none. */
  password: string | null;
}

const loginAddress = /^(?:(sftp|ftps?):\/\/)?([^/\s]+)@([^@/\s]+?)(?:\/[^@\s]*)?$/i;
const ftpPort = 21;
const loginForm = 'Expected an address such as sftp://user@host:2022, as the panel of your host shows it.';
const gameForm = 'Expected an address such as 203.0.113.7:2302 or play.example.org:2302.';

/** An address as the panels of hosts show it: `sftp://user.1a2b@node.example.org:2022`. @throws CommandFailure */
export function readLoginAddress(text: string): LoginAddress {
  const found = loginAddress.exec(text.trim());
  if (found === null) throw new CommandFailure(loginForm);
  const [, user, password] = /^([^:]+)(?::(.*))?$/.exec(found[2] as string) ?? [];
  const address = readHostAndPort(found[3] as string);
  if (user === undefined || address === null) throw new CommandFailure(loginForm);
  const given = found[1]?.toLowerCase() as LoginAddress['scheme'] | undefined;
  const decoded = (part: string): string => (given === undefined ? part : decode(part));
  return {
    scheme: given ?? (address.port === ftpPort ? 'ftp' : 'sftp'),
    username: decoded(user),
    password: password === undefined ? null : decoded(password),
    ...address,
  };
}

export interface GameAddress {
  host: string;
  /** Null: the usual one. */
  port: number | null;
}

/** `host:port` of a game server. @throws CommandFailure */
export function readGameAddress(text: string): GameAddress {
  const address = readHostAndPort(text.trim());
  if (address === null) throw new CommandFailure(gameForm);
  return address;
}

function readHostAndPort(text: string): GameAddress | null {
  const found = /^(?:\[([0-9A-Fa-f:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text);
  const host = found?.[1] ?? found?.[2];
  const port = found?.[3] === undefined ? null : Number(found[3]);
  if (host === undefined || !hostSchema.safeParse(host).success) return null;
  if (port !== null && (port < 1 || port > 65_535)) return null;
  return { host, port };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
