import { lstatSync, readdirSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { ConfigError } from './error.ts';
import { joined, readYaml, type SourceFile } from './read-yaml.ts';
import { misnamed, readProblem, readTextFile } from './text-file.ts';

const isProjectFile = (name: string): boolean => /^[^.].*\.ya?ml(?:\.txt)?$/i.test(name);

/** Reads the files of projects, in the order of their names. @throws ConfigError, which names each that cannot be read */
export function readProjectFiles(folder: string): SourceFile[] {
  const errors: ConfigError[] = [];
  const sources = namesIn(folder).flatMap((name) => {
    const file = join(folder, name);
    try {
      refuseUnread(file);
      return readYaml(readTextFile(file), file);
    } catch (error) {
      if (error instanceof ConfigError) errors.push(error);
      else if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
      else errors.push(new ConfigError(readProblem(file, error as NodeJS.ErrnoException)));
      return [];
    }
  });
  if (errors.length > 0) throw joined(errors);
  return sources;
}

/** What an editor has misnamed; reading a pipe or a device may never end. */
function refuseUnread(file: string): void {
  if (/\.txt$/i.test(file)) throw new ConfigError(`${misnamed(file, basename(file, extname(file)))}.`);
  const stats = statSync(file);
  if (stats.isFile() || stats.isDirectory()) return;
  throw new ConfigError(`cannot read ${file}: it is a pipe, a socket or a device, and a file was expected.`);
}

/** In alphabetical order; none if there is no such folder. A link whose disk is away would end every project. */
function namesIn(folder: string): string[] {
  try {
    if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return [];
    return readdirSync(folder).filter(isProjectFile).toSorted();
  } catch (error) {
    throw new ConfigError(readProblem(folder, error as NodeJS.ErrnoException));
  }
}
