/** Receives a command's result and its progress; replaced in tests. */
export interface Output {
  /** The result is printed as one JSON document. */
  json?: boolean;
  /** @param isPainted see `writeLine` */
  out(text: string, isPainted?: boolean): void;
  err(text: string): void;
  /** What shows the result; null or left out: it is piped. */
  terminal?: Terminal | null;
  /** Replaces the line of progress on a terminal; an empty text removes it. Left out: there is no terminal. */
  progress?: ((text: string) => void) | undefined;
}

export interface Terminal {
  columns: number;
  hasColors: boolean;
}

const eraseLine = '\r\u001B[2K';

export const processOutput: Output = {
  out: (text, isPainted) => writeLine(process.stdout, text, isPainted),
  err: (text) => writeLine(process.stderr, text),
  get terminal() {
    const { isTTY, columns } = process.stdout;
    return isTTY ? { columns: columns || 80, hasColors: process.stdout.hasColors() } : null;
  },
  get progress() {
    return process.stderr.isTTY ? (text: string) => void process.stderr.write(eraseLine + text) : undefined;
  },
};

/**
 * Writes a text. A terminal obeys nothing in it: names, reasons and paths may come from a game server. What is piped stays as
 * it is, for the program that reads it.
 * @param isPainted whether it has colours, and is clean already
 */
export function writeLine(
  stream: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>,
  text: string,
  isPainted = false,
): void {
  const shown = stream.isTTY && !isPainted ? text.replaceAll(controls, ' ') : text;
  stream.write(`${shown}\n`);
}

const controls = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu;

/** A failure whose reason the user can understand; shown without a stack, exit code 1. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** A failure whose reason was printed with the result; exit code 1. */
export class FailedResult extends Error {
  override readonly name = 'FailedResult';
}

export { count, grouped } from '../process/count.ts';

/** `12.3 MB` */
export function sizeText(bytes: number): string {
  const power = bytes < 1024 ** 2 ? 1 : bytes < 1024 ** 3 ? 2 : 3;
  const figure = (bytes / 1024 ** power).toLocaleString('en-US', { maximumFractionDigits: 1 });
  return `${figure} ${['', 'KB', 'MB', 'GB'][power]}`;
}

/** One line. Control characters, and marks that turn what follows around, may come from a game server or a file. */
export const printable = (text: string): string => text.replaceAll(/[\s\p{Cc}\p{Bidi_Control}]/gu, ' ');

/** Prints the result of a command: with `--json` as data, else as text. */
export function printResult({ json, out }: Output, result: unknown, text: string, isPainted = false): void {
  if (json) out(JSON.stringify(result, null, 2));
  else out(text, isPainted);
}

/** Prints the result of a command that failed, and the reason. As JSON both are one document. */
export function failWithResult(output: Output, result: object, text: string, reason: string): never {
  printResult(output, { ...result, error: reason }, text);
  if (!output.json) output.err(reason);
  throw new FailedResult(reason);
}
