import type { Command } from 'commander';

/** Where a command's answer and its progress go; replaced in tests. */
export interface Output {
  out(text: string): void;
  err(text: string): void;
}

export const processOutput: Output = {
  out: (text) => void process.stdout.write(`${text}\n`),
  err: (text) => void process.stderr.write(`${text}\n`),
};

/** A command failed for a reason that its user can understand; shown without a stack, exit code 1. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** A command failed after its result was printed, which says why; exit code 1. */
export class FailedResult extends Error {
  override readonly name = 'FailedResult';
}

/** Gives a command `--json`: its result is then printed as one JSON document instead of as text. */
export function withJson(command: Command): Command {
  return command.option('--json', 'print the result as JSON');
}

/** Prints a result: as JSON where asked for, else as the given text. */
export function printResult(
  output: Output,
  options: { json?: boolean },
  result: unknown,
  text: string,
): void {
  output.out(options.json ? JSON.stringify(result, null, 2) : text);
}

/** Prints what a command has done although it failed, and why it did. As JSON both are one document. */
export function failWithResult(
  output: Output,
  options: { json?: boolean },
  result: object,
  text: string,
  reason: string,
): never {
  printResult(output, options, { ...result, error: reason }, text);
  if (!options.json) output.err(reason);
  throw new FailedResult(reason);
}
