import type { RequestRecord } from './rest/request-record.ts';

/** Which requests fail: by method and path, or by a function. */
export type FailureMatcher =
  { method?: string; path?: string | RegExp } | ((request: RequestRecord) => boolean);

/** What a matching request meets: another answer, a cut connection, or the usual answer after a delay. */
export interface FailedAnswer {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** Milliseconds before anything is answered. */
  delayMs?: number;
  /** Cuts the connection without an answer. */
  cut?: boolean;
  /** The request takes effect all the same, as when only the answer is lost on its way. */
  afterwards?: boolean;
}

export type Failures = ReturnType<typeof createFailures>;

export function createFailures() {
  const failures: { matcher: FailureMatcher; response: FailedAnswer; left: number }[] = [];
  return {
    /** Makes the next `times` matching requests fail (Infinity: until the returned function is called). */
    add(matcher: FailureMatcher, response: FailedAnswer, times = 1): () => void {
      const failure = { matcher, response, left: times };
      failures.push(failure);
      return () => void (failure.left = 0);
    },
    /** What this request meets; null: nothing. */
    take(request: RequestRecord): FailedAnswer | null {
      const failure = failures.find((one) => one.left > 0 && matches(one.matcher, request));
      if (!failure) return null;
      failure.left -= 1;
      return failure.response;
    },
  };
}

function matches(matcher: FailureMatcher, request: RequestRecord): boolean {
  if (typeof matcher === 'function') return matcher(request);
  if (matcher.method !== undefined && matcher.method !== request.method) return false;
  if (matcher.path === undefined) return true;
  return typeof matcher.path === 'string' ? matcher.path === request.path : matcher.path.test(request.path);
}
