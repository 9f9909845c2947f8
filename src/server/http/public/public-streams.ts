import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { headOf } from '../answers/answer.ts';
import { PacedConnection } from '../connections/paced-connection.ts';
import { noSuchPath, Problem } from '../answers/problem.ts';
import type { PublicRequest, PublicStream } from './public-parts.ts';
import { addStreamRoute } from '../routes.ts';

export interface StreamBounds {
  maxStreams: number;
  /** An IPv6 /64 counts as one address. */
  maxStreamsPerAddress: number;
  /** How often a comment keeps a quiet stream open; it must be less than a connection's idle time. */
  keepAliveMs: number;
}

export const streamBounds: StreamBounds = { maxStreams: 1_000, maxStreamsPerAddress: 5, keepAliveMs: 25_000 };

/** A reader who has left this much unread is too slow: more would only fill the memory. */
const mostUnreadBytes = 64 * 1024;
const retryAfterFull = 30;

const headers = [
  'Content-Type',
  'text/event-stream; charset=utf-8',
  'Cache-Control',
  'no-store',
  // nginx would otherwise collect events before it passes them on.
  'X-Accel-Buffering',
  'no',
];

/** The streams that are open, all of which end when the service closes. */
export class PublicStreams {
  readonly #app: FastifyInstance;
  readonly #bounds: StreamBounds;
  readonly #open = new Set<ServerResponse>();
  readonly #perAddress = new Map<string, number>();

  constructor(app: FastifyInstance, bounds: StreamBounds) {
    this.#app = app;
    this.#bounds = bounds;
    const keepAlive = setInterval(() => {
      for (const response of this.#open) write(response, ':\n\n');
    }, bounds.keepAliveMs).unref();
    app.addHook('preClose', async () => {
      clearInterval(keepAlive);
      for (const response of this.#open) response.end();
    });
  }

  /** @param admit counts the request, and throws a `Problem` when there were too many */
  add(
    stream: PublicStream,
    admit: (request: FastifyRequest) => { group: string; request: PublicRequest },
  ): void {
    addStreamRoute(this.#app, stream, async (request, reply) => {
      const admitted = admit(request);
      await this.#begin(stream, admitted, request, reply);
    });
  }

  async #begin(
    stream: PublicStream,
    { group, request: asked }: { group: string; request: PublicRequest },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const response = reply.raw;
    const release = this.#reserve(group, response);
    let stop: (() => void) | null = null;
    response.once('close', () => {
      release();
      stop?.();
    });
    const early: string[] = [];
    let isOpen = false;
    const send = (text: string): void => {
      if (isOpen) write(response, text);
      else early.push(text);
    };
    try {
      stop = await stream.open(asked, send);
    } catch (error) {
      release();
      throw error;
    }
    if (stop === null) {
      release();
      throw noSuchPath();
    }
    reply.hijack();
    // The visitor may have gone meanwhile.
    if (response.destroyed) return stop();
    response.writeHead(200, headOf(request, { headers }));
    if (request.method === 'HEAD') return void response.end();
    if (response.socket instanceof PacedConnection) response.socket.leavePace(response);
    isOpen = true;
    write(response, `retry: 3000\n\n${early.join('')}`);
  }

  /** Counts a stream, until the result is called. @throws Problem 429, 503 */
  #reserve(group: string, response: ServerResponse): () => void {
    const held = this.#perAddress.get(group) ?? 0;
    const { maxStreams, maxStreamsPerAddress } = this.#bounds;
    if (held >= maxStreamsPerAddress) {
      throw new Problem(
        'rate_limited',
        `Expected at most ${maxStreamsPerAddress} streams from one address.`,
        { retryAfter: retryAfterFull },
      );
    }
    if (this.#open.size >= maxStreams) {
      throw new Problem('service_unavailable', `${maxStreams} streams are open, the most there may be.`, {
        retryAfter: retryAfterFull,
      });
    }
    this.#open.add(response);
    this.#perAddress.set(group, held + 1);
    return () => {
      if (!this.#open.delete(response)) return;
      const left = (this.#perAddress.get(group) ?? 1) - 1;
      if (left === 0) this.#perAddress.delete(group);
      else this.#perAddress.set(group, left);
    };
  }
}

function write(response: ServerResponse, text: string): void {
  if (!response.headersSent || response.writableEnded || response.destroyed) return;
  if (response.writableLength > mostUnreadBytes || isStuck(response)) response.destroy();
  else response.write(text);
}

/** Bytes may also wait in the connection, behind the response's own buffer. */
function isStuck({ socket }: ServerResponse): boolean {
  return socket !== null && socket.writableLength > mostUnreadBytes;
}
