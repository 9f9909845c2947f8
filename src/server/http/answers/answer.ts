import type { FastifyReply, FastifyRequest } from 'fastify';

/** The answer to one request. */
export interface Answer {
  status: number;
  /** Names and values in turns, without those that `send` adds. */
  headers: readonly string[];
  /** Request headers on which the answer depends, besides Origin. */
  vary?: string;
  /** Null: an answer that has no body (204, 304). */
  body: Buffer | string | null;
}

export const jsonType = 'application/json; charset=utf-8';
export const noStore: readonly string[] = ['Cache-Control', 'no-store'];

/** A JSON answer that must not be cached. */
export function jsonAnswer(
  status: number,
  value: unknown,
  headers: readonly string[] = [],
  type = jsonType,
): Answer {
  return {
    status,
    headers: [...noStore, ...headers, 'Content-Type', type],
    body: JSON.stringify(value),
  };
}

/** The headers of an answer, with those that all answers have and those for browsers; names and values in turns. */
function headOf(request: FastifyRequest, reply: FastifyReply, { headers, vary }: Answer): string[] {
  const head = ['X-Request-Id', request.id, 'X-Content-Type-Options', 'nosniff'];
  if (vary !== undefined) head.push('Vary', vary);
  // By @fastify/cors; another `Vary` adds to the one above.
  for (const [name, value] of Object.entries(reply.getHeaders())) head.push(name, String(value));
  if (request.rateHeaders !== null) head.push(...request.rateHeaders);
  head.push(...headers);
  return head;
}

/**
 * Sends an answer. Every answer to a request goes through here.
 *
 * It writes to Node's response directly. By Fastify's `reply.send`, which collects the headers in an object, has Node check
 * and copy each and searches for a serializer, a cached answer takes 2 to 3 µs of 34 more.
 */
export function send(request: FastifyRequest, reply: FastifyReply, answer: Answer): void {
  const { status, body } = answer;
  const head = headOf(request, reply, answer);
  if (body !== null) head.push('Content-Length', String(Buffer.byteLength(body)));
  if (leavesBodyUnread(request)) head.push('Connection', 'close');
  // A header that Node rejects throws here, so the error handler can still answer.
  reply.raw.writeHead(status, head);
  reply.hijack();
  reply.raw.end(request.method === 'HEAD' ? null : body);
}

/** Only a registration's body is read; other bodies are not waited for. */
function leavesBodyUnread({ method, raw: { headers } }: FastifyRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The state of the request's limits as headers; null when it has no limits. */
    rateHeaders: readonly string[] | null;
    /** Seconds until the limits admit another request. */
    limitedForSeconds: number;
  }
}
