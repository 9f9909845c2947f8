import type { IncomingHttpHeaders } from 'node:http';

/** Which pages in browsers may read the service (the Fetch standard's CORS protocol). */
export interface Cors {
  /** Headers of an answer to a request with this Origin; none for an origin that is not allowed. */
  headersFor(origin: string | undefined): Record<string, string>;
  /** Headers of the answer to a preflight; null when the request is none, or of no allowed origin. */
  preflight(headers: IncomingHttpHeaders, methods: readonly string[]): Record<string, string> | null;
}

const readable = [
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
const sendable = 'Authorization, Content-Type, If-None-Match, User-Agent, X-Request-Id';
/** Browsers ask again after ten minutes. */
const maxAgeSeconds = 600;

/** CORS for these origins, `*` for all. Null when there are none: the service then says nothing of origins. */
export function createCors(origins: readonly string[]): Cors | null {
  if (origins.length === 0) return null;
  const everyone = origins.includes('*');
  const allowed = new Set(origins);
  const headersFor: Cors['headersFor'] = (origin) => {
    if (origin === undefined || !(everyone || allowed.has(origin))) return {};
    return {
      'Access-Control-Allow-Origin': everyone ? '*' : origin,
      'Access-Control-Expose-Headers': readable,
    };
  };
  return {
    headersFor,
    preflight(headers, methods) {
      const { origin } = headers;
      if (origin === undefined || headers['access-control-request-method'] === undefined) return null;
      const granted = headersFor(origin);
      if (granted['Access-Control-Allow-Origin'] === undefined) return null;
      return {
        'Access-Control-Allow-Origin': granted['Access-Control-Allow-Origin'],
        'Access-Control-Allow-Methods': methods.join(', '),
        'Access-Control-Allow-Headers': sendable,
        'Access-Control-Max-Age': String(maxAgeSeconds),
      };
    },
  };
}
