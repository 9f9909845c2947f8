import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { addressGroup, isLoopback, plainAddress } from './client-address.ts';
import type { PacedConnection } from './paced-connection.ts';

export interface ConnectionBounds {
  maxConnections: number;
  /** An IPv6 /64 counts as one address. Trusted proxies and loopback have no limit of their own. */
  maxConnectionsPerAddress: number;
}

export interface ConnectionParts extends ConnectionBounds {
  isProxy: (address: string) => boolean;
  /** Whether an address belongs to the bot or the owner, who may use the reserve. */
  isOwn?: (address: string) => boolean;
  log: Logger;
  monotonic: () => number;
}

/** Extra connections for the owner's addresses, as a share of `maxConnections`. */
const reserve = 1 / 40;
/** Idle connections are closed above this share of `maxConnections`. */
const crowded = 0.9;
const closeIdleEveryMs = 1_000;
const logEveryMs = 60_000;

/** Closes connections beyond the limits as soon as they open. Returns a function that counts the open ones. */
export function boundConnections(server: Server, parts: ConnectionParts): () => number {
  const { maxConnections, maxConnectionsPerAddress, isProxy, isOwn = isLoopback, log, monotonic } = parts;
  const logRefusal = everySoOften(logEveryMs, monotonic);
  const closeIdle = everySoOften(closeIdleEveryMs, monotonic);
  const perAddress = new Map<string, number>();
  let all = 0;

  const refuse = (socket: PacedConnection, reason: string): void => {
    socket.destroy();
    logRefusal(() => log.warn(`refused a connection from ${plainAddress(socket.remoteAddress)}: ${reason}`));
  };

  // Before the server itself knows the new connection: Node.js 26 takes one without a request for idle.
  server.prependListener('connection', () => {
    if (all >= maxConnections * crowded) closeIdle(() => server.closeIdleConnections());
  });
  server.on('connection', (socket: PacedConnection) => {
    const address = plainAddress(socket.remoteAddress);
    const own = isOwn(address);
    const group = own || isProxy(address) ? null : addressGroup(address);
    const held = group === null ? 0 : (perAddress.get(group) ?? 0);
    const most = own ? maxConnections + Math.ceil(maxConnections * reserve) : maxConnections;
    if (held >= maxConnectionsPerAddress) {
      refuse(
        socket,
        `it holds ${held}, the most for one address (http.maxConnectionsPerAddress). If it is your reverse proxy, name it in http.trustProxy`,
      );
      return;
    }
    if (all >= most) {
      refuse(socket, `${all} are open, the most there may be (http.maxConnections)`);
      return;
    }
    all += 1;
    if (group !== null) perAddress.set(group, held + 1);
    socket.once('close', () => {
      all -= 1;
      if (group === null) return;
      const left = (perAddress.get(group) ?? 1) - 1;
      if (left === 0) perAddress.delete(group);
      else perAddress.set(group, left);
    });
  });
  return () => all;
}

function everySoOften(ms: number, monotonic: () => number): (work: () => void) => void {
  let last = -Infinity;
  return (work) => {
    if (monotonic() - last < ms) return;
    last = monotonic();
    work();
  };
}
