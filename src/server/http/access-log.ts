import type { Logger } from 'pino';

/** One request as the access log has it. It holds no path and no query: those may hold a secret. */
export interface AccessEntry {
  requestId: string;
  /** Which operation the path belongs to; undefined for none. */
  operation: string | undefined;
  /** Undefined until it is proven. */
  application: string | undefined;
  address: string;
  method: string;
  /** 499: the caller went away before the answer was out. */
  status: number;
  ms: number;
}

/** Called once a request, when its answer is out. */
export type Observer = (entry: AccessEntry) => void;

/** Writes one line a request. */
export function createAccessLog(log: Logger): Observer {
  // Its fields hold no secret by their kind; looking for one would take ten times as long as writing the line.
  const lines = log.child({}, { redact: [] });
  return (entry) => lines.info(entry, 'request');
}

/** Milliseconds since `startedAt` (of `performance.now()`), to the hundredth. */
export function elapsedMs(startedAt: number): number {
  return Math.round((performance.now() - startedAt) * 100) / 100;
}
