import { version } from '../process/version.ts';
import { printResult, type Output, type JsonOption } from './output.ts';

export function printVersion(output: Output, options: JsonOption): void {
  printResult(output, options, { version }, version);
}
