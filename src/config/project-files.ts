import { lstatSync, readdirSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { ConfigError } from './error.ts';
import { readYaml, type SourceFile } from './read-yaml.ts';
import { misnamed, readProblem, readTextIfThere } from './text-file.ts';

const isProjectFile = (name: string): boolean => /^[^.].*\.ya?ml(?:\.txt)?$/i.test(name);

/** Reads the files of projects, in the order of their names. @throws ConfigError, which names the first that cannot be read */
export const readProjectFiles = (folder: string): SourceFile[] =>
  namesIn(folder).map((name) => {
    const file = join(folder, name);
    // An editor has misnamed it.
    if (/\.txt$/i.test(file)) throw new ConfigError(`${misnamed(file, basename(file, extname(file)))}.`);
    return readYaml(readTextIfThere(file) ?? '', file);
  });

/** In alphabetical order; none if there is no such folder. A link whose disk is away would end every project. */
function namesIn(folder: string): string[] {
  try {
    if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return [];
    return readdirSync(folder).filter(isProjectFile).toSorted();
  } catch (error) {
    throw new ConfigError(readProblem(folder, error as NodeJS.ErrnoException));
  }
}
