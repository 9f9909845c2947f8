import { fstatSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';

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

interface LogOutput {
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
  return pino(options, json ? inJson(output) : inLines(output));
}

/** A line each for people, and several for an error. A service that writes JSON does not load what formats them. */
function inLines(output: NodeJS.WriteStream): DestinationStream {
  const pretty = createRequire(import.meta.url)('pino-pretty') as typeof import('pino-pretty');
  const lines = pretty({
    destination: output,
    // As the terminal and NO_COLOR want it.
    colorize: output.hasColors?.() ?? true,
    hideObject: true,
    messageFormat: textOf,
  });
  return { write: (line) => void lines.write(line.replaceAll(controls, (_, kept = ' ') => kept)) };
}

/**
 * In a line of JSON: control characters, apart from line feeds and tabs, and marks that turn what follows around. Names, files
 * and messages of other machines bring them, and a terminal would obey.
 */
const controls = /(\\["\\nt])|\\(?:u00[01][0-9a-f]|[bfr])|[\u007f-\u009f\p{Bidi_Control}]/gu;

/** `source read · kind: logs · id: s · report: 1 new run, 54 lines`, and the stacks of errors below. */
function textOf(line: Record<string, unknown>): string {
  const parts: string[] = [];
  const stacks: string[] = [];
  for (const [key, value] of Object.entries(line)) {
    if (value === null || ['time', 'level', 'msg'].includes(key)) continue;
    const { stack } = Object(value) as { stack?: unknown };
    if (typeof stack === 'string') stacks.push(`\n${stack.replaceAll(/^/gm, '    ')}`);
    else if (key === 'report') parts.push(`${key}: ${summaryOf(value as object) || 'nothing new'}`);
    else parts.push(`${key}: ${plain(value)}`);
  }
  return [line['msg'], ...parts].join(' · ') + stacks.join('');
}

/** A value as one line. A list of mistakes has an indented line for each. */
function plain(value: unknown): string {
  if (typeof value !== 'object' || value === null)
    return String(value)
      .replaceAll(/(?<=[^:\s])\n {2}/g, '; ')
      .replaceAll(/\s+/g, ' ');
  if (Array.isArray(value)) return value.map(plain).join(', ');
  return Object.entries(value)
    .map(([key, each]) => (key === 'message' ? plain(each) : `${key} ${plain(each)}`))
    .join(', ');
}

/** The figures of a source's report that are not zero, such as `1 new run, 54 lines, 3 unread lines`. */
function summaryOf(report: object, what = ''): string {
  return Object.entries(report)
    .flatMap(([key, value]: [string, unknown]) => {
      const words = `${key.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}${what}`;
      const figure = Array.isArray(value) ? value.length : value;
      if (typeof figure === 'number')
        return figure === 0 ? [] : [`${figure} ${figure === 1 ? singular(words) : words}`];
      if (value === true) return [words];
      return typeof value === 'object' && value !== null ? [summaryOf(value, ` ${words}`)] : [];
    })
    .filter((text) => text !== '')
    .join(', ');
}

const singular = (words: string): string => words.replace(/ies$/, 'y').replace(/s$/, '');

/** Each line is written at once, so that none is lost where the process is killed. */
function inJson(output: NodeJS.WriteStream): DestinationStream {
  const { fd } = output as { fd?: number };
  const isFile = fd !== undefined && fstatSync(fd).isFile();
  return { write: isFile ? intoFile(fd) : (line) => void output.write(line) };
}

/**
 * Where the disk is full, lines are lost, and the service goes on. Node.js's own stream would leave a line that was written
 * in part, which the next one would continue.
 */
function intoFile(descriptor: number): (line: string) => void {
  let isCut = false;
  return (line) => {
    const bytes = Buffer.from(isCut ? `\n${line}` : line);
    try {
      isCut = writeSync(descriptor, bytes) < bytes.length;
    } catch {
      // Nothing was written.
    }
  };
}
