import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileNamesOf, type LogFormat, namesOfFiles } from 'dayz-files';
import { CommandFailure } from '../output.ts';

/** The files that a path names: itself, or the logs in a folder and those below it. */
export function filesOf(path: string, formats: readonly LogFormat[]): string[] {
  // A path that cannot be read is kept: the import reports what is wrong with it.
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [path];
  const logNames = fileNamesOf(formats);
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  const logs = names.filter((name) => logNames.test(basename(name))).toSorted();
  if (logs.length === 0)
    throw new CommandFailure(`${path}: no ${namesOfFiles(formats, 'or')} in this folder or below it`);
  return logs.map((name) => join(path, name));
}
