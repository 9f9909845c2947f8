import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileNamesOf, type LogFormat, namesOfFiles } from 'dayz-files';
import { CommandFailure } from '../output.ts';

/** The files that a path names: itself, or the logs in a folder and those below it. */
export function filesOf(path: string, formats: readonly LogFormat[]): string[] {
  // A path that cannot be read is kept: the import reports what is wrong with it.
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [path];
  const logs = logsIn(path, fileNamesOf(formats)).toSorted();
  if (logs.length === 0)
    throw new CommandFailure(`${path}: no ${namesOfFiles(formats, 'or')} in this folder or below it`);
  return logs;
}

/** Links to folders are not followed: they may lead back, or, as in the folders of Wine, to the whole disk. */
function logsIn(folder: string, logNames: RegExp): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return logNames.test(entry.name) ? [path] : [];
    try {
      return logsIn(path, logNames);
    } catch {
      return [path];
    }
  });
}
