import type { Logger } from 'pino';

/** One request as the access log has it. It holds no path and no query: those may hold a secret. */
export interface AccessEntry {
  requestId: string;
  /** Which operation the path belongs to; undefined for none. */
  operation: string | undefined;
  /** Undefined until a token or secret proves it. */
  application: string | undefined;
  address: string;
  method: string;
  /** 499: the caller went away before the answer was out. */
  status: number;
  ms: number;
}

/** Called once for each request, when its answer is out. */
export type Observer = (entry: AccessEntry) => void;

/** Logs one line for each request. */
export function createAccessLog(log: Logger, level: 'info' | 'debug'): Observer {
  // None of the fields can hold a secret, and looking for secrets costs more than the rest of the line.
  const lines = log.child({}, { redact: [] });
  return (entry) => lines[level](entry, 'request');
}

/** Milliseconds since `startedAt` (of `performance.now()`), to the hundredth. */
export function elapsedMs(startedAt: number): number {
  return Math.round((performance.now() - startedAt) * 100) / 100;
}
