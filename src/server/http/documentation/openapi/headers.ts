import { playersLimit, tokenLimit, type Operation } from '../../../../api/operations.ts';
import { reference, type JsonObject } from './schemas.ts';

const seconds = { type: 'integer', minimum: 0 };

/** `components.headers`: the headers that callers may rely on. */
export const headerComponents = {
  'X-Request-Id': {
    description:
      "The request's id in the log of the service: the caller's own `X-Request-Id` if it is valid, else a new one.",
    schema: { type: 'string' },
    example: '0a4f6d1e-43f1-4bb6-9f2b-7b4f0d9f3c55',
  },
  'Cache-Control': {
    description: 'The answer must not be stored.',
    schema: { type: 'string', const: 'no-store' },
    example: 'no-store',
  },
  ETag: {
    description:
      'Identifies the body. Send it back as `If-None-Match`: the answer is 304 without a body while nothing has changed.',
    schema: { type: 'string', pattern: '^"[^"]+"$' },
    example: '"Yb0xWkqbYqLrBmdyoMFt9LQ9h0a"',
  },
  'RateLimit-Policy': {
    description: `The limits that count for this operation (draft-ietf-httpapi-ratelimit-headers-11): \`q\` requests in any \`w\` seconds. \`${tokenLimit.name}\` counts for all operations, \`${playersLimit.name}\` for the live list besides.`,
    schema: { type: 'string', pattern: String.raw`^"\w+";q=\d+;w=\d+(, "\w+";q=\d+;w=\d+)*$` },
    example: `"${tokenLimit.name}";q=${tokenLimit.quota};w=${tokenLimit.windowSeconds}`,
  },
  RateLimit: {
    description:
      'What is left of each limit: `r` requests, and `t` seconds until the next one becomes available.',
    schema: { type: 'string', pattern: String.raw`^"\w+";r=\d+;t=\d+(, "\w+";r=\d+;t=\d+)*$` },
    example: `"${tokenLimit.name}";r=117;t=42`,
  },
  'X-RateLimit-Limit': {
    description: 'Requests that the tightest limit admits in its window.',
    schema: { type: 'integer', minimum: 1 },
    example: tokenLimit.quota,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in that window.',
    schema: { type: 'integer', minimum: 0 },
    example: 117,
  },
  'X-RateLimit-Reset': {
    description: 'Seconds until the next one becomes available.',
    schema: seconds,
    example: 42,
  },
  'Retry-After': {
    description: 'Whole seconds after which to try again.',
    schema: seconds,
    example: 12,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 6750).',
    schema: { type: 'string', pattern: '^Bearer' },
    example: 'Bearer error="invalid_token"',
  },
  Allow: {
    description: 'The methods that this path supports.',
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

export function cacheControl(value: string): JsonObject {
  return {
    description: 'For how long the caller may use the answer; after that, `If-None-Match` avoids a new body.',
    required: true,
    schema: { type: 'string', const: value },
    example: value,
  };
}
