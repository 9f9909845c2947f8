import { hostname } from 'node:os';

/** What the owner of leases says of itself. */
export interface NamedProcess {
  host: string;
  pid: number;
  roles: string[];
  /** When it started, by its machine's clock. */
  since: string;
}

/** The name under which this process owns leases. The time distinguishes processes with the same host name and pid, which containers may have. */
export const nameOfProcess = (roles: readonly string[]): string =>
  `${hostname()}:${process.pid} ${roles.join(',')} since ${new Date().toISOString()}`;

/** Null: the name has another form, such as that of an earlier version. */
export function parseProcessName(name: string): NamedProcess | null {
  const [, host = '', pid, roles = '', since = ''] = /^(.+):(\d+) (\S+) since (\S+)$/.exec(name) ?? [];
  return pid === undefined ? null : { host, pid: Number(pid), roles: roles.split(','), since };
}
