import { version } from '../process/version.ts';
import { printResult, type Output } from './output.ts';

export function printVersion(output: Output, options: { json?: boolean }): void {
  printResult(output, options, { version }, version);
}
