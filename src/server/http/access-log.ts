import { symbols, type DestinationStream, type Logger } from 'pino';

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

/** Writes one line a request, at level debug unless `level` says otherwise. */
export function createAccessLog(log: Logger, level: 'info' | 'debug' = 'debug'): Observer {
  // A line a request: its fields are known and hold no secret by their kind, so it is put together right here, in the
  // form that pino gives its lines.
  const output = Reflect.get(log, symbols.streamSym) as DestinationStream;
  return ({ requestId, operation, application, address, method, status, ms }) => {
    if (!log.isLevelEnabled(level)) return;
    output.write(
      `{"level":"${level}","time":"${new Date().toISOString()}","requestId":"${requestId}"${operation === undefined ? '' : `,"operation":"${operation}"`}` +
        `${application === undefined ? '' : `,"application":"${application}"`},"address":"${address}","method":"${method}",` +
        `"status":${status},"ms":${ms},"msg":"request"}\n`,
    );
  };
}

/** Milliseconds since `startedAt` (of `performance.now()`), to the hundredth. */
export function elapsedMs(startedAt: number): number {
  return Math.round((performance.now() - startedAt) * 100) / 100;
}
