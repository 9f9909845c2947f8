import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';

/** Keys that may hold a secret, wherever an object with them is logged. */
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
  /** JSON lines even where a person watches. */
  json?: boolean;
}

/** The process's logger: JSON lines, or coloured text where a person watches. Secrets are blacked out. */
export function createLogger(
  level: string,
  { output = process.stdout, json = !output.isTTY }: LogOutput = {},
): Logger {
  const options = {
    level,
    base: null,
    // For people and log collectors alike: moments and levels as words.
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
 * Writes the first line after a silence at once and then, every 20 ms, what came meanwhile: a busy service writes one
 * line a request, and the write costs more than the line.
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
