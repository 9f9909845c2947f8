import { playersLimit, tokenLimit, type Operation } from '../../../../api/operations.ts';
import { reference, type JsonObject } from './json.ts';

const seconds = { type: 'integer', minimum: 0 };

/** `components.headers`: every header of an answer that a caller may rely on. */
export const headerComponents = {
  'X-Request-Id': {
    description:
      "The request's id in the log of the service: the caller's own `X-Request-Id`, if it is sane, or a new one.",
    schema: { type: 'string' },
    example: '0a4f6d1e-43f1-4bb6-9f2b-7b4f0d9f3c55',
  },
  'Cache-Control': {
    description: 'The answer is not to be kept.',
    schema: { type: 'string', const: 'no-store' },
    example: 'no-store',
  },
  ETag: {
    description: 'Names the bytes of the body. Sent back as `If-None-Match`, it saves the body: 304.',
    schema: { type: 'string', pattern: '^"[^"]+"$' },
    example: '"Yb0xWkqbYqLrBmdyoMFt9LQ9h0a"',
  },
  'RateLimit-Policy': {
    description: `The limits that count for this operation (draft-ietf-httpapi-ratelimit-headers-11): \`q\` requests in any \`w\` seconds. \`${tokenLimit.name}\` counts for all operations, \`${playersLimit.name}\` for the live list besides.`,
    schema: { type: 'string', pattern: String.raw`^"\w+";q=\d+;w=\d+(, "\w+";q=\d+;w=\d+)*$` },
    example: `"${tokenLimit.name}";q=${tokenLimit.quota};w=${tokenLimit.windowSeconds}`,
  },
  RateLimit: {
    description: 'What is left of each: `r` requests, and `t` seconds until the next one is given back.',
    schema: { type: 'string', pattern: String.raw`^"\w+";r=\d+;t=\d+(, "\w+";r=\d+;t=\d+)*$` },
    example: `"${tokenLimit.name}";r=117;t=42`,
  },
  'X-RateLimit-Limit': {
    description: 'Requests that the tightest limit admits in its window.',
    schema: { type: 'integer', minimum: 1 },
    example: tokenLimit.quota,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests that it has left.',
    schema: { type: 'integer', minimum: 0 },
    example: 117,
  },
  'X-RateLimit-Reset': {
    description: 'Seconds until it gives the next one back.',
    schema: seconds,
    example: 42,
  },
  'Retry-After': {
    description: 'Whole seconds after which it pays to ask again.',
    schema: seconds,
    example: 12,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 6750).',
    schema: { type: 'string', pattern: '^Bearer' },
    example: 'Bearer error="invalid_token"',
  },
  Allow: {
    description: 'The methods that this path knows.',
    schema: { type: 'string' },
    example: 'GET, HEAD, OPTIONS',
  },
} as const satisfies Readonly<Record<string, JsonObject>>;

export type HeaderName = keyof typeof headerComponents;

const rateLimitHeaders: readonly HeaderName[] = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** The limit headers of an answer, for operations that have limits. */
export function limitHeaders({ scope }: Operation): readonly HeaderName[] {
  return scope === null ? [] : rateLimitHeaders;
}

export function headers(names: readonly HeaderName[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, reference('headers', name)]));
}

/** The Cache-Control of an operation's successes. */
export function cacheControl(value: string): JsonObject {
  return {
    description: 'For how long the caller may keep the answer; after that, `If-None-Match` saves the body.',
    required: true,
    schema: { type: 'string', const: value },
    example: value,
  };
}
