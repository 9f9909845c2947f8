import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { globSync, isDynamicPattern } from 'tinyglobby';
import { fileNamesOf, type LogFormat, namesOfFiles } from 'dayz-files';
import { CommandFailure } from '../output.ts';

/**
 * The files that a path names: itself, the logs in a folder, or all files that match a pattern (`backup/2024-*`).
 * Patterns are expanded here because shells limit the number of files.
 */
export function filesOf(path: string, formats: readonly LogFormat[]): string[] {
  const logNames = fileNamesOf(formats);
  const named = namesOfFiles(formats, 'or');
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) {
    const logs = readdirSync(path).filter((name) => logNames.test(name));
    if (logs.length === 0) throw new CommandFailure(`${path}: no ${named} in this folder`);
    return logs.map((name) => join(path, name));
  }
  const pattern = process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
  // A path that cannot be read is kept: the import reports what is wrong with it.
  if (stats !== undefined || !isDynamicPattern(pattern)) return [path];
  const { folder, rest } = splitPattern(pattern);
  const logs = globSync(rest, { cwd: folder, expandDirectories: false, dot: true })
    .filter((file) => logNames.test(basename(file)))
    .map((file) => join(folder, file));
  if (logs.length === 0) throw new CommandFailure(`${path}: no ${named} matches this pattern`);
  return logs;
}

/**
 * What exists is meant literally, as the brackets in `C:/Program Files (x86)`. The longest folder is looked for first: of
 * `//server/share`, the server alone cannot be asked for.
 */
function splitPattern(pattern: string): { folder: string; rest: string } {
  const parts = pattern.split('/');
  const folderOf = (end: number): string => (end === 0 ? '.' : `${parts.slice(0, end).join('/')}/`);
  const end = parts.findLastIndex((_, index) => existsSync(folderOf(index)));
  return { folder: folderOf(end), rest: parts.slice(end).join('/') };
}
