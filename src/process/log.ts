import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';

/** Keys whose values may be secrets, in any logged object. */
const secretKeys = [
  'token',
  'secret',
  'secretHash',
  'secret_hash',
  'password',
  'authorization',
  'DISCORD_TOKEN',
];

export interface LogOutput {
  output?: NodeJS.WriteStream;
  /** JSON lines even in a terminal. */
  json?: boolean;
}

/** The process's logger: JSON lines, or coloured text in a terminal. Secrets are redacted. */
export function createLogger(
  level: string,
  { output = process.stdout, json = !output.isTTY }: LogOutput = {},
): Logger {
  const options = {
    level,
    base: null,
    // Times and levels as words, readable by people and log collectors.
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`, `*.headers.${key}`]),
      censor: '[secret]',
    },
  };
  return pino(options, json ? inFewWrites(output) : pretty({ destination: output, colorize: true }));
}

const writeEveryMs = 20;

/**
 * Writes the first line after a pause at once, and what follows every 20 ms: a busy service logs one line per
 * request, and the write costs more than the line.
 */
function inFewWrites(output: NodeJS.WriteStream): DestinationStream {
  let lines = '';
  let resting = false;
  const flush = (): void => {
    resting = lines !== '';
    if (!resting) return;
    output.write(lines);
    lines = '';
    setTimeout(flush, writeEveryMs).unref();
  };
  process.on('exit', flush);
  return {
    write(line) {
      lines += line;
      if (!resting) flush();
    },
  };
}
