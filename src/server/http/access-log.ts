import type { Logger } from 'pino';

/** One request in the access log. It has no path and no query, which may contain a secret. */
export interface AccessEntry {
  requestId: string;
  /** The operation of the path, if it has one. */
  operation?: string | undefined;
  /** Once a token or secret has proven it. */
  application?: string | undefined;
  address: string;
  method: string;
  /** 499: the caller closed the connection before the answer was sent. */
  status: number;
  ms: number;
}

/** Called once for each request, after its answer was sent. */
export type Observer = (entry: AccessEntry) => void;

export function createAccessLog(log: Logger, level: 'info' | 'debug'): Observer {
  // No field can contain a secret, and searching for secrets costs more than the rest of the line.
  const lines = log.child({}, { redact: [] });
  return (entry) => lines[level](entry, 'request');
}
