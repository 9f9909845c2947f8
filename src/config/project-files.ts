import { lstatSync, readdirSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { ConfigError } from './error.ts';
import { mistakesIn, parseProjectFile, type RawFile, type Reading, type Surroundings } from './parse.ts';
import { type Issue, type UsedId, entries, idsOfProject, usedId } from './raw-config.ts';
import type { ProjectFile } from './schema.ts';
import { misnamed, readProblem, readTextFile } from './text-file.ts';

/** The folder beside the config file. */
const projectFolder = 'projects';
const isProjectFile = (name: string): boolean => /^[^.].*\.ya?ml(?:\.txt)?$/i.test(name);

export interface ProjectSource {
  file: string;
  reading: Reading<ProjectFile>;
}

/**
 * Reads the files of projects, in the order of their names. They are parts of the config: a mistake in one is a mistake of the config.
 * @param folder of the config file
 * @param main the config file, as it is read
 * @throws ConfigError with every mistake of every file
 */
export function readProjectFiles(
  folder: string,
  main: RawFile,
  surroundingsOf: (folder: string) => Surroundings,
): ProjectSource[] {
  const place = join(folder, projectFolder);
  const surroundings = surroundingsOf(place);
  /** Where an id is used: `config/projects/alpha.yaml, line 3`. */
  const used = new Map(
    idsIn(main.raw).map(({ key, path }) => [key, `${main.file}, line ${main.lineOf(path)}`]),
  );
  const errors: ConfigError[] = [];
  const sources = namesIn(place).flatMap((name) => {
    const file = join(place, name);
    try {
      const source = readProjectFile(file, surroundings);
      refuseUsedIds(source, used);
      return source;
    } catch (error) {
      if (error instanceof ConfigError) errors.push(error);
      else if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
      else errors.push(new ConfigError(readProblem(file, error as NodeJS.ErrnoException)));
      return [];
    }
  });
  if (errors.length === 0) return sources;
  throw new ConfigError(
    errors.map(({ message }) => message).join('\n'),
    errors.flatMap(({ mistakes }) => mistakes),
  );
}

/** @throws ConfigError; errors of the file system */
function readProjectFile(file: string, surroundings: Surroundings): ProjectSource {
  refuseUnread(file);
  return { file, reading: parseProjectFile(readTextFile(file), file, surroundings) };
}

/** @param used the ids of the files before, to which those of this one are added @throws ConfigError when one is used already */
function refuseUsedIds({ file, reading }: ProjectSource, used: Map<string, string>): void {
  const { value } = reading;
  const ids = [...idsOfProject(value, []), ...guildsIn(value, [])];
  const issues = ids.flatMap(({ key, what, id, path }): Issue[] => {
    const where = used.get(key);
    if (where === undefined) return [];
    return [
      { path, message: `expected a unique ${what}: ${JSON.stringify(id)} is already used in ${where}` },
    ];
  });
  if (issues.length > 0) throw mistakesIn(reading, issues);
  for (const { key, path } of ids) used.set(key, `${file}, line ${reading.lineOf(path)}`);
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
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  try {
    return readdirSync(folder).filter(isProjectFile).toSorted();
  } catch (error) {
    throw new ConfigError(readProblem(folder, error as NodeJS.ErrnoException));
  }
}

const guildsIn = (parent: unknown, at: PropertyKey[]): UsedId[] =>
  entries(parent, 'guilds', at).flatMap(([{ id }, path]) => usedId('guild', id, [...path, 'id']));

function idsIn(raw: unknown): UsedId[] {
  const { discord } = Object(raw) as { discord?: unknown };
  return [
    ...entries(raw, 'projects').flatMap(([project, path]) => idsOfProject(project, path)),
    ...guildsIn(discord, ['discord']),
  ];
}
