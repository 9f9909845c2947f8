import { REST } from '@discordjs/rest';

/** A request that would wait longer for a rate limit throws `RateLimitError`. */
const longestWaitMs = 5_000;
/**
 * Limit for a request that has a signal, with its repetitions. Together with the minute for which kill feeds repeat a nonce,
 * it stays well below the few minutes for which Discord remembers one.
 */
const requestMs = 20_000;

/**
 * Discord's REST API for one bot. `apiUrl` ends in `/api`; by default it is Discord's own. With `timeoutMs`, requests are
 * not repeated.
 */
export function createRest(options: {
  token: string;
  apiUrl?: string | undefined;
  timeoutMs?: number | undefined;
}): REST {
  const { token, apiUrl, timeoutMs } = options;
  const rest = new REST({
    version: '10',
    ...(apiUrl !== undefined && { api: apiUrl }),
    ...(timeoutMs !== undefined && { timeout: timeoutMs, retries: 0 }),
    rejectOnRateLimit: ({ retryAfter, timeToReset }) => Math.max(retryAfter, timeToReset) > longestWaitMs,
  }).setToken(token);
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
