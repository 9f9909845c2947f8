import type { IncomingHttpHeaders } from 'node:http';

/** Which browser pages may read the service (the Fetch standard's CORS protocol). */
export type Cors = NonNullable<ReturnType<typeof createCors>>;

const readableHeaders = [
  'ETag',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
].join(', ');
const sendableHeaders = 'Authorization, Content-Type, If-None-Match, User-Agent, X-Request-Id';
/** Browsers repeat a preflight after ten minutes. */
const maxAgeSeconds = 600;

/** CORS for these origins, `*` for all. Null without origins: answers then have no CORS headers. */
export function createCors(origins: readonly string[]) {
  if (origins.length === 0) return null;
  const everyone = origins.includes('*');
  const allowed = new Set(origins);
  const isAllowed = (origin: string): boolean => everyone || allowed.has(origin);
  return {
    /** Headers of an answer to a request with this Origin, names and values in turns; none for one that is not allowed. */
    headersFor(origin: string | undefined): readonly string[] {
      if (origin === undefined || !isAllowed(origin)) return [];
      return [
        'Access-Control-Allow-Origin',
        everyone ? '*' : origin,
        'Access-Control-Expose-Headers',
        readableHeaders,
      ];
    },
    /** Headers of the answer to a preflight; none when the request is no preflight, or its origin is not allowed. */
    preflight(
      { origin, 'access-control-request-method': method }: IncomingHttpHeaders,
      methods: readonly string[],
    ): readonly string[] {
      if (origin === undefined || method === undefined || !isAllowed(origin)) return [];
      return [
        'Access-Control-Allow-Methods',
        methods.join(', '),
        'Access-Control-Allow-Headers',
        sendableHeaders,
        'Access-Control-Max-Age',
        String(maxAgeSeconds),
      ];
    },
  };
}
