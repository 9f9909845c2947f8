import { DefaultRestOptions, REST, type RESTOptions } from '@discordjs/rest';
import { blockedSeconds, requestMs, restWaitMs } from './limits.ts';

/**
 * Options of every REST client. `apiUrl` ends in `/api`; by default it is Discord's own. A request that would wait longer for
 * a rate limit throws `RateLimitError`.
 */
export function restOptions(apiUrl: string | undefined, longestWaitMs: number): Partial<RESTOptions> {
  return {
    version: '10',
    ...(apiUrl !== undefined && { api: apiUrl }),
    rejectOnRateLimit: ({ retryAfter, timeToReset }) => Math.max(retryAfter, timeToReset) > longestWaitMs,
    // Without a time to wait, REST would repeat the request at once and without end.
    async makeRequest(url, init) {
      const response = await DefaultRestOptions.makeRequest(url, init);
      const { status, headers } = response;
      if (status !== 429) return response;
      const isTimed = Number(headers.get('retry-after')) > 0;
      if (!isTimed) headers.set('retry-after', String(blockedSeconds));
      const isDiscords = headers.get('content-type')?.includes('json') === true;
      if (!isTimed || !isDiscords) headers.set('x-ratelimit-global', 'true');
      return response;
    },
  };
}

/** Discord's REST API for one bot. */
export function createRest({ token, apiUrl }: { token: string; apiUrl?: string | undefined }): REST {
  const rest = new REST(restOptions(apiUrl, restWaitMs)).setToken(token);
  // REST drops the token permanently after one 401. A token is really invalid only if the gateway closes as well.
  rest.setToken = () => rest;
  const queueRequest = rest.queueRequest.bind(rest);
  // REST never removes the listener that it adds to the signal of a request. On a signal that lasts they would pile up.
  rest.queueRequest = async (request) => {
    const { signal } = request;
    if (signal == null) return await queueRequest(request);
    signal.throwIfAborted();
    const own = new AbortController();
    const abort = () => own.abort(signal.reason);
    const timer = setTimeout(abort, requestMs);
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await queueRequest({ ...request, signal: own.signal });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  };
  return rest;
}
