import type { Allowance } from '../limits/limiter.ts';

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
export function jsonAnswer(status: number, value: unknown, headers: readonly string[] = []): Answer {
  return {
    status,
    headers: [...noStore, ...headers, 'Content-Type', jsonType],
    body: JSON.stringify(value),
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request's limits allow after it; null when it has no limits. */
    allowance: Allowance | null;
  }
}
