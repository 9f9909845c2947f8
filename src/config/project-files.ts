import { lstatSync, readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { ConfigError } from './error.ts';
import { readYaml, type SourceFile } from './read-yaml.ts';
import { misnamed, readProblem, readTextFile } from './text-file.ts';

const isProjectFile = (name: string): boolean => /^[^.].*\.ya?ml(?:\.txt)?$/i.test(name);

/** Reads the files of projects, in the order of their names. @throws ConfigError, which names each that cannot be read */
export function readProjectFiles(folder: string): SourceFile[] {
  const errors: ConfigError[] = [];
  const sources = namesIn(folder).flatMap((name) => {
    const file = join(folder, name);
    try {
      // An editor has misnamed it.
      if (/\.txt$/i.test(file)) throw new ConfigError(`${misnamed(file, basename(file, extname(file)))}.`);
      return readYaml(readTextFile(file), file);
    } catch (error) {
      if (error instanceof ConfigError) errors.push(error);
      else if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
      else errors.push(new ConfigError(readProblem(file, error as NodeJS.ErrnoException)));
      return [];
    }
  });
  if (errors.length > 0)
    throw new ConfigError(
      errors.map(({ message }) => message).join('\n'),
      errors.flatMap(({ mistakes }) => mistakes),
    );
  return sources;
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
