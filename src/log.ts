import { pino, type DestinationStream, type Logger } from 'pino';
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

/** The process's logger: JSON lines, or coloured text where a person watches. Secrets are blacked out. */
export function createLogger(level: string, output: NodeJS.WriteStream = process.stdout): Logger {
  const options = {
    level,
    base: null,
    redact: {
      paths: secretKeys.flatMap((key) => [key, `*.${key}`, `*.*.${key}`, `*.headers.${key}`]),
      censor: '[secret]',
    },
  };
  return pino(options, output.isTTY ? pretty({ destination: output, colorize: true }) : inOneWrite(output));
}

/** Writes the lines of one turn of the event loop together: a busy service writes one line a request. */
function inOneWrite(output: NodeJS.WriteStream): DestinationStream {
  let lines = '';
  const flush = (): void => {
    if (lines !== '') output.write(lines);
    lines = '';
  };
  process.on('exit', flush);
  return {
    write(line) {
      if (lines === '') setImmediate(flush);
      lines += line;
    },
  };
}
