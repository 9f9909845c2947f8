import {
  createServer,
  STATUS_CODES,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { errorCodes, type ErrorCode } from '../../api/errors.ts';
import { plainAddress } from './client-address.ts';
import type { ConnectionBounds } from './connections.ts';
import { requestIdOf } from './request-id.ts';
import { elapsedMs, type Observer } from './access-log.ts';

/** Bounds on what a connection may take of the service. Milliseconds and bytes. */
export interface ServerBounds extends ConnectionBounds {
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
}

export const serverBounds: ServerBounds = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 20_000,
  keepAliveTimeoutMs: 60_000,
  idleTimeoutMs: 65_000,
  checkEveryMs: 1_000,
  maxHeaderBytes: 16 * 1024,
  maxConnections: 4_000,
  maxConnectionsPerAddress: 200,
};

/** Every answer of a connection that is not out yet, oldest first. */
export interface OpenAnswers {
  note(response: ServerResponse): void;
  of(socket: Duplex): ServerResponse[];
}

export function createOpenAnswers(): OpenAnswers {
  const bySocket = new WeakMap<Duplex, ServerResponse[]>();
  return {
    note(response) {
      const { socket } = response.req;
      const noted = bySocket.get(socket);
      // Answers go out in their order: with the last one all are out.
      if (noted === undefined || noted.at(-1)?.writableFinished !== false) bySocket.set(socket, [response]);
      else noted.push(response);
    },
    of: (socket) => (bySocket.get(socket) ?? []).filter((response) => !response.writableFinished),
  };
}

/** An HTTP server that cuts off who is too slow or sends too much, and says so in the service's own form. */
export function createHttpServer(
  listener: RequestListener,
  bounds: ServerBounds,
  refuse: (refusal: Refusal, socket: Socket) => void,
): Server {
  const server = createServer(
    {
      headersTimeout: bounds.headersTimeoutMs,
      requestTimeout: bounds.requestTimeoutMs,
      keepAliveTimeout: bounds.keepAliveTimeoutMs,
      connectionsCheckingInterval: bounds.checkEveryMs,
      maxHeaderSize: bounds.maxHeaderBytes,
      noDelay: true,
      // Node's own refusal has neither the service's form nor a request id; see `namesOneHost`.
      requireHostHeader: false,
    },
    listener,
  );
  server.setTimeout(bounds.idleTimeoutMs);
  // An expectation that nobody knows may be passed over (RFC 9110, section 10.1.1).
  server.on('checkExpectation', listener);
  server.on('connect', (_request, socket: Socket) => refuse(methodRefusal('CONNECT'), socket));
  return server;
}

/** What is refused before it is a request of any operation. */
export interface Refusal {
  code: ErrorCode;
  message: string;
  headers?: readonly string[];
  method?: string;
}

function methodRefusal(method: string): Refusal {
  const allow = 'GET, HEAD, POST, OPTIONS';
  const message = `Expected one of the methods ${allow}, got ${method}.`;
  return { code: 'method_not_allowed', message, headers: [`Allow: ${allow}`], method };
}

/**
 * Answers what is no request (Node's event `clientError`), after the answers to the requests before it. Where its own
 * answer has begun, cutting it off is all that is left.
 */
export function refuseUnreadable(
  error: NodeJS.ErrnoException,
  socket: Socket,
  bounds: ServerBounds,
  open: OpenAnswers,
  observe: Observer,
): void {
  const answers = open.of(socket);
  // The request whose body is at fault has been handed on, but nothing is to come of it.
  const own = answers.at(-1)?.req.complete === false ? answers.pop() : undefined;
  const before = answers.at(-1);
  if (error.code === 'ECONNRESET' || !socket.writable || own?.headersSent === true) socket.destroy();
  else if (before === undefined) refuse(refusalOf(error, bounds), socket, observe);
  else before.once('close', () => refuse(refusalOf(error, bounds), socket, observe));
}

/** Writes a refusal onto a connection that has no request, and closes it. */
export function refuse(
  { code, message, headers = [], method = '' }: Refusal,
  socket: Socket,
  observe: Observer,
): void {
  const startedAt = performance.now();
  const address = plainAddress(socket.remoteAddress);
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const status = errorCodes[code];
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
    ...headers,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  observe({
    requestId,
    operation: undefined,
    application: undefined,
    address,
    method,
    status,
    ms: elapsedMs(startedAt),
  });
}

function refusalOf({ code }: NodeJS.ErrnoException, bounds: ServerBounds): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const message = `Expected a request line and headers of at most ${bounds.maxHeaderBytes} bytes together.`;
    return { code: 'headers_too_large', message };
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const [headers, whole] = [bounds.headersTimeoutMs / 1000, bounds.requestTimeoutMs / 1000];
    const message = `Expected the headers within ${headers} s and the whole request within ${whole} s.`;
    return { code: 'request_timeout', message };
  }
  // What the parser says is not passed on: it may quote what was sent.
  return { code: 'invalid_parameters', message: 'Expected an HTTP/1.1 request.' };
}

/** Whether a request names its host as RFC 9112, section 3.2, wants it: once, or not at all in HTTP/1.0. */
export function namesOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}
