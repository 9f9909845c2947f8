import type { Allowance } from '../limits/limiter.ts';

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

/** The headers of an HTML page of the service itself, which no other page may embed. @param sources what it may load */
export const pageHeaders = (sources: readonly string[] = []): readonly string[] => [
  'Content-Security-Policy',
  ["default-src 'none'", ...sources, "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"].join(
    '; ',
  ),
  // The same for browsers and scanners that ignore the policy.
  'X-Frame-Options',
  'DENY',
  'Referrer-Policy',
  'no-referrer',
];
export const htmlType = 'text/html; charset=utf-8';

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
