import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { globSync, isDynamicPattern } from 'tinyglobby';
import { CommandFailure } from './output.ts';

/**
 * The files that a path stands for: itself, the logs of a folder, or all that a pattern (`backup/2024-*.ADM`) names. A
 * shell that expands patterns by itself has a limit of some ten thousand.
 */
export function filesOf(path: string, logNames: RegExp): string[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) {
    const logs = readdirSync(path).filter((name) => logNames.test(name));
    if (logs.length === 0) throw new CommandFailure(`${path}: no .ADM file in this folder`);
    return logs.map((name) => join(path, name));
  }
  const pattern = patternOf(path);
  // What cannot be looked at stays: the import says what is wrong with it.
  if (stats !== undefined || !isDynamicPattern(pattern)) return [path];
  const logs = globSync(pattern, { expandDirectories: false, dot: true }).filter((file) =>
    logNames.test(basename(file)),
  );
  if (logs.length === 0) throw new CommandFailure(`${path}: no .ADM, .RPT or .log file matches this pattern`);
  return logs;
}

/** The folder in which a pattern begins; of any other path, itself. */
export function fixedPartOf(path: string): string {
  const parts = patternOf(path).split('/');
  const first = parts.findIndex((part) => isDynamicPattern(part));
  if (first < 0) return path;
  return parts.slice(0, first).join('/') || (first === 0 ? '.' : '/');
}

const patternOf = (path: string): string =>
  process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
