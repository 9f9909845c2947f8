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

export interface Failures {
  /** Makes the next `times` matching requests fail (default 1; Infinity: until the returned function is called). */
  add(matcher: FailureMatcher, response: FailedAnswer, times?: number): () => void;
  /** What this request meets; null: nothing. */
  take(request: RequestRecord): FailedAnswer | null;
}

export function createFailures(): Failures {
  const failures: { matcher: FailureMatcher; response: FailedAnswer; left: number }[] = [];
  return {
    add(matcher, response, times = 1) {
      const failure = { matcher, response, left: times };
      failures.push(failure);
      return () => void (failure.left = 0);
    },
    take(request) {
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
