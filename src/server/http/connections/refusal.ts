import { STATUS_CODES } from 'node:http';
import type { Observer } from '../access-log.ts';
import { Problem } from '../answers/problem.ts';
import { plainAddress } from './client-address.ts';
import type { PacedConnection } from './paced-connection.ts';
import { requestIdOf } from './request-head.ts';
import type { ServerBounds } from './http-server.ts';

/**
 * Handles Node's event `clientError`, of input that never becomes a request: bytes that are not HTTP, headers that are too large
 * or too slow. Answers it after the answers to earlier requests. If an answer to the faulty
 * request was already started, the connection is closed.
 */
export function refuseUnreadable(
  { code }: NodeJS.ErrnoException,
  socket: PacedConnection,
  bounds: ServerBounds,
  observe: Observer,
): void {
  const answers = [...socket.answers];
  // The request with the faulty body was already passed on, but gets this answer instead.
  const own = answers.at(-1)?.req.complete === false ? answers.pop() : undefined;
  const before = answers.at(-1);
  const refusal = refusalOf(code, bounds);
  if (code === 'ECONNRESET' || !socket.writable) socket.destroy();
  // The answer to the faulty request is complete, so it is sent, after the answers before it.
  else if (own?.writableEnded === true) own.once('close', () => socket.destroySoon());
  else if (own?.headersSent === true) socket.destroy();
  else if (before === undefined) refuse(refusal, socket, observe);
  else before.once('close', () => refuse(refusal, socket, observe));
}

function refusalOf(code: string | undefined, bounds: ServerBounds): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const message = `Expected a request line and headers of at most ${bounds.maxHeaderBytes} bytes together.`;
    return new Problem('headers_too_large', message);
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const [headers, whole] = [bounds.headersTimeoutMs / 1000, bounds.requestTimeoutMs / 1000];
    const message = `Expected the headers within ${headers} s and the whole request within ${whole} s.`;
    return new Problem('request_timeout', message);
  }
  // The parser's own message may quote the input.
  return new Problem('invalid_parameters', 'Expected an HTTP/1.1 request.');
}

/** Writes a refusal onto a connection and closes it. */
function refuse(refusal: Problem, socket: PacedConnection, observe: Observer): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status } = refusal;
  const requestId = requestIdOf(undefined);
  const body = JSON.stringify(refusal.toBody(requestId));
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
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
  const address = plainAddress(socket.remoteAddress);
  observe({ requestId, address, method: '', status, ms: 0 });
}
