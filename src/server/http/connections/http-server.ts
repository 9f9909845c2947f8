import type { RequestListener } from 'node:http';
import type { ConnectionBounds } from './connections.ts';
import { PacedServer } from './paced-connection.ts';

/** Limits on a connection. Milliseconds and bytes. */
export interface ServerBounds extends ConnectionBounds {
  /** From a request's first byte (or a connection's opening) to the end of its headers. */
  headersTimeoutMs: number;
  /** From a request's first byte (or a connection's opening) to the end of its body. */
  requestTimeoutMs: number;
  /** Between two requests. Longer than proxies keep a connection: what they send over one that closes here is lost. */
  keepAliveTimeoutMs: number;
  /** Time without a byte in either direction. */
  idleTimeoutMs: number;
  /** How often the first two are checked. */
  checkEveryMs: number;
  maxHeaderBytes: number;
}

export const serverBounds: ServerBounds = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 20_000,
  keepAliveTimeoutMs: 75_000,
  idleTimeoutMs: 80_000,
  checkEveryMs: 1_000,
  maxHeaderBytes: 16 * 1024,
  maxConnections: 4_000,
  maxConnectionsPerAddress: 200,
};

/** An HTTP server that closes connections which are too slow or send too much. */
export function createHttpServer(listener: RequestListener, bounds: ServerBounds): PacedServer {
  const server = new PacedServer(
    {
      headersTimeout: bounds.headersTimeoutMs,
      requestTimeout: bounds.requestTimeoutMs,
      keepAliveTimeout: bounds.keepAliveTimeoutMs,
      connectionsCheckingInterval: bounds.checkEveryMs,
      maxHeaderSize: bounds.maxHeaderBytes,
      noDelay: true,
      // Node's own refusal has neither the service's format nor a request id; see `checkHead`.
      requireHostHeader: false,
    },
    listener,
  );
  server.setTimeout(bounds.idleTimeoutMs);
  return server;
}
