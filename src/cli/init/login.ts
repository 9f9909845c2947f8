import type { FileAccess, Place } from 'game-files';
import { placeKinds } from '../../config/schema/files.ts';
import { host as hostSchema } from '../../config/schema/values.ts';
import { fileProblem } from '../../server/files/errors.ts';
import { CommandFailure } from '../output.ts';
import { keyAddressOf } from '../known-hosts.ts';
import type { World } from './questions.ts';

interface LoginAddress {
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

/** A place that is reached with a user name and a password or a key. */
type HostPlace = Extract<Place, { host: string; username: string }>;

export type LoginSecret =
  | { password: string }
  /** The config names the file of the key, so that the key stays there. */
  | { keyFile: string; privateKey: string; passphrase?: string };

/** A host that let the user in. */
export interface Login {
  place: HostPlace;
  files: FileAccess;
  /** Null: the login is by password. */
  keyFile: string | null;
}

/** The types of place that an address may mean, in the order in which they are tried: the next where a host offers no TLS. */
const typesOf: Readonly<Record<LoginAddress['scheme'], readonly HostPlace['type'][]>> = {
  sftp: ['sftp'],
  ftp: ['ftps', 'ftp'],
  ftps: ['ftps'],
};

/** Remembers the host's key, so that the password is sent to no other host. @throws CommandFailure */
export async function logIn(address: LoginAddress, secret: LoginSecret, world: World): Promise<Login> {
  const { remote, knownHosts, report, warn } = world;
  const types = typesOf[address.scheme];
  for (const type of types) {
    const place = placeOf(address, type, secret);
    try {
      const at = remote.at(place);
      await at.login();
      const keyAddress = keyAddressOf(place);
      const key = keyAddress === null ? null : await knownHosts.find(keyAddress);
      report(`Logged in to ${place.host} as ${place.username}${key === null ? '' : `. Its key: ${key}`}.`);
      if (placeKinds[type].isUnencrypted)
        warn('The host offers no encryption. The password and all data are sent unencrypted.');
      return { place, files: at.of('init'), keyFile: 'keyFile' in secret ? secret.keyFile : null };
    } catch (error) {
      const problem = fileProblem(error);
      if (type !== types.at(-1) && /offers no TLS/.test(problem)) continue;
      const protocol = type === 'sftp' ? 'SFTP' : 'FTP';
      throw new CommandFailure(
        `${capital(problem)}. Compare address, port, user name and password with what the panel of your host shows for ${protocol}.`,
        { cause: error },
      );
    }
  }
  throw new Error('expected a place');
}

function placeOf(address: LoginAddress, type: HostPlace['type'], secret: LoginSecret): HostPlace {
  const { host, port, username } = address;
  const login = { host, port: port ?? (placeKinds[type].usualPort as number), username };
  if ('password' in secret) return { type, ...login, password: secret.password };
  const { keyFile: _, ...key } = secret;
  return { type: 'sftp', ...login, ...key };
}

/** An address keeps its small letters. */
const capital = (text: string): string =>
  /^[a-z]+:/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
