import { createServer, STATUS_CODES, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { requestIdOf } from './request-id.ts';
import { elapsedMs, type Observer } from './access-log.ts';

/** Bounds on what a connection may take of the service. Milliseconds and bytes. */
export interface ServerBounds {
  /** From a request's first byte (or a connection's opening) to the end of its headers. */
  headersTimeoutMs: number;
  /** The same to the end of its body. */
  requestTimeoutMs: number;
  keepAliveTimeoutMs: number;
  /** Silence in which neither side moves a byte. */
  idleTimeoutMs: number;
  /** How often the first two are looked after. */
  checkEveryMs: number;
  maxHeaderBytes: number;
  maxConnections: number;
}

export const serverBounds: ServerBounds = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 20_000,
  keepAliveTimeoutMs: 60_000,
  idleTimeoutMs: 65_000,
  checkEveryMs: 1_000,
  maxHeaderBytes: 16 * 1024,
  maxConnections: 4_000,
};

/** An HTTP server that cuts off who is too slow or sends too much, and says so in the service's own form. */
export function createHttpServer(listener: RequestListener, bounds: ServerBounds): Server {
  const server = createServer(
    {
      headersTimeout: bounds.headersTimeoutMs,
      requestTimeout: bounds.requestTimeoutMs,
      keepAliveTimeout: bounds.keepAliveTimeoutMs,
      connectionsCheckingInterval: bounds.checkEveryMs,
      maxHeaderSize: bounds.maxHeaderBytes,
      noDelay: true,
    },
    listener,
  );
  server.setTimeout(bounds.idleTimeoutMs);
  server.maxConnections = bounds.maxConnections;
  // An expectation that nobody knows may be passed over (RFC 9110, section 10.1.1).
  server.on('checkExpectation', listener);
  return server;
}

/**
 * Answers what is no request (Node's event `clientError`). Where an answer is under way on the connection, cutting it off
 * is all that is left.
 */
export function refuseUnreadable(
  error: NodeJS.ErrnoException,
  socket: Socket,
  bounds: ServerBounds,
  observe: Observer,
): void {
  const startedAt = performance.now();
  // Node's own default handler looks there too: the answer that the connection is sending.
  const underWay = Reflect.get(socket, '_httpMessage') as { headersSent: boolean } | null | undefined;
  if (error.code === 'ECONNRESET' || !socket.writable || underWay?.headersSent === true) {
    socket.destroy();
    return;
  }
  const { status, code, message } = refusalOf(error, bounds);
  const requestId = requestIdOf(undefined);
  const body = JSON.stringify({ error: code, message, requestId });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    `Date: ${new Date().toUTCString()}`,
    'Connection: close',
  ];
  const address = socket.remoteAddress ?? '';
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  observe({
    requestId,
    operation: undefined,
    application: undefined,
    address,
    method: '',
    status,
    ms: elapsedMs(startedAt),
  });
}

/** What is refused before it is a request of any operation: its codes are HTTP's own, not the contract's. */
function refusalOf(
  { code }: NodeJS.ErrnoException,
  bounds: ServerBounds,
): { status: number; code: string; message: string } {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const message = `Expected a request line and headers of at most ${bounds.maxHeaderBytes} bytes together.`;
    return { status: 431, code: 'headers_too_large', message };
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const [headers, whole] = [bounds.headersTimeoutMs / 1000, bounds.requestTimeoutMs / 1000];
    const message = `Expected the headers within ${headers} s and the whole request within ${whole} s.`;
    return { status: 408, code: 'request_timeout', message };
  }
  // What the parser says is not passed on: it may quote what was sent.
  return { status: 400, code: 'invalid_parameters', message: 'Expected an HTTP/1.1 request.' };
}
