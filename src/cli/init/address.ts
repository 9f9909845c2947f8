import { host as hostSchema } from '../../config/schema/values.ts';
import { CommandFailure } from '../output.ts';
import { hostSchemes } from './host-kinds.ts';

export interface LoginAddress {
  scheme: string | null;
  username: string;
  host: string;
  /** Null: the usual one. */
  port: number | null;
  /** Some panels show addresses that contain one. */
  password: string | null;
}

const loginAddress = new RegExp(
  `^(?:(${hostSchemes.join('|')})://)?([^/\\s]+)@([^@/\\s]+?)(?:/[^@\\s]*)?$`,
  'i',
);
const loginForm = 'Expected an address such as sftp://user@host:2022, as the panel of your host shows it.';
const gameForm = 'Expected an address such as 203.0.113.7:2302 or play.example.org:2302.';

/** An address as the panels of hosts show it: `sftp://user.1a2b@node.example.org:2022`. @throws CommandFailure */
export function readLoginAddress(text: string): LoginAddress {
  const found = loginAddress.exec(text.trim());
  if (found === null) throw new CommandFailure(loginForm);
  const scheme = found[1]?.toLowerCase() ?? null;
  const [, user, password] = /^([^:]+)(?::(.*))?$/.exec(found[2] as string) ?? [];
  const address = readHostAndPort(found[3] as string);
  if (user === undefined || address === null) throw new CommandFailure(loginForm);
  const decoded = (part: string): string => (scheme === null ? part : decode(part));
  return {
    scheme,
    username: decoded(user),
    password: password === undefined ? null : decoded(password),
    ...address,
  };
}

/** `host:port` of a game server; without a port it is the game's usual one. @throws CommandFailure */
export function readGameAddress(text: string): { host: string; port: number | null } {
  const address = readHostAndPort(text.trim());
  if (address === null) throw new CommandFailure(gameForm);
  return address;
}

/** Why an answer cannot be read; null: it can. */
export function problemOf(read: () => unknown): string | null {
  try {
    read();
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function readHostAndPort(text: string): { host: string; port: number | null } | null {
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
