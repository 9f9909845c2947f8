import { lstatSync, readdirSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { ConfigError } from './error.ts';
import { mistakesIn, parseProjectFile, type RawFile, type Reading, type Surroundings } from './parse.ts';
import { type Issue, type UsedId, entries, idsOfProject, usedId } from './raw-config.ts';
import type { BrokenProjectFile, ProjectFile } from './schema.ts';
import { misnamed, readProblem, readTextFile } from './text-file.ts';

/** The folder beside the config file. */
const projectFolder = 'projects';
const isProjectFile = (name: string): boolean => /^[^.].*\.ya?ml(?:\.txt)?$/i.test(name);

/** A file of a project whose content counts. */
export interface ProjectSource {
  file: string;
  text: string;
  reading: Reading<ProjectFile>;
}

/** The files of projects, as they count. */
interface ReadProjects {
  sources: ProjectSource[];
  broken: BrokenProjectFile[];
}

/** Where an id is used: `config/projects/alpha.yaml, line 3`. */
type Used = Map<string, string>;

/**
 * Reads the files of projects. A file with mistakes counts as it was before them, so that the other projects, and what
 * this one had, go on. It remembers the files that counted, and parses only those that changed.
 */
export class ProjectFiles {
  #counted = new Map<string, ProjectSource>();
  readonly #copyOf: (name: string) => string | null;

  /** @param copyOf the text with which a file counted in an earlier process; null: there is none */
  constructor(copyOf: (name: string) => string | null = () => null) {
    this.#copyOf = copyOf;
  }

  /** The texts of the files that count, by name. */
  texts(): ReadonlyMap<string, string> {
    return new Map(Array.from(this.#counted.values(), ({ file, text }) => [file, text]));
  }

  /**
   * @param folder of the config file
   * @param main the config file, as it is read
   * @throws ConfigError when the config file uses an id of a project's file that has not changed
   */
  read(folder: string, main: RawFile, surroundingsOf: (folder: string) => Surroundings): ReadProjects {
    const place = join(folder, projectFolder);
    const surroundings = surroundingsOf(place);
    const used: Used = new Map(
      idsIn(main.raw).map(({ key, path }) => [key, `${main.file}, line ${main.lineOf(path)}`]),
    );
    const read = namesIn(place).map((name) => this.#readFile(name, join(place, name), surroundings));
    const sources: ProjectSource[] = [];
    const broken: BrokenProjectFile[] = [];
    const count = (source: ProjectSource): void => {
      sources.push(source);
      for (const { key, path } of idsOf(source)) {
        used.set(key, `${source.file}, line ${source.reading.lineOf(path)}`);
      }
    };
    /** Counts the file as it was before its mistakes, if that is known. */
    const keep = (file: string, error: ConfigError, before: ProjectSource | null): void => {
      const isFree = before !== null && repeated(before, used).length === 0;
      if (isFree) count(before);
      broken.push({ file, error, keptSlug: isFree ? before.reading.value.slug : null });
    };
    for (const { source, before } of read) {
      if (!(source instanceof ConfigError) && source.text === before?.text) {
        const [first] = repeated(source, used);
        if (first !== undefined) throw mistakenMain(main, source, first.key);
        count(source);
      }
    }
    for (const { file, source, before } of read) {
      if (source instanceof ConfigError) keep(file, source, before);
    }
    for (const { file, source, before } of read) {
      if (source instanceof ConfigError || source.text === before?.text) continue;
      const issues = repeated(source, used).map(({ issue }) => issue);
      if (issues.length === 0) count(source);
      else keep(file, mistakesIn(source.reading, issues), before);
    }
    this.#counted = new Map(sources.map((source) => [source.file, source]));
    const inOrder = sources.toSorted((one, other) => (one.file < other.file ? -1 : 1));
    return { sources: inOrder, broken };
  }

  #readFile(name: string, file: string, surroundings: Surroundings) {
    const before = this.#counted.get(file) ?? this.#readCopy(name, file, surroundings);
    const source = attempt(file, () => {
      refuseUnread(file);
      const text = readTextFile(file);
      if (text === before?.text && !before.reading.hasSecrets) return before;
      return { file, text, reading: parseProjectFile(text, file, surroundings) };
    });
    return { file, source, before };
  }

  #readCopy(name: string, file: string, surroundings: Surroundings): ProjectSource | null {
    const text = this.#copyOf(name);
    if (text === null) return null;
    const copy = attempt(file, () => ({ file, text, reading: parseProjectFile(text, file, surroundings) }));
    return copy instanceof ConfigError ? null : copy;
  }
}

/** What an editor has misnamed; reading a pipe or a device may never end. */
function refuseUnread(file: string): void {
  if (/\.txt$/i.test(file)) throw new ConfigError(`${misnamed(file, basename(file, extname(file)))}.`);
  const stats = statSync(file);
  if (stats.isFile() || stats.isDirectory()) return;
  throw new ConfigError(`cannot read ${file}: it is a pipe, a socket or a device, and a file was expected.`);
}

function attempt<T>(file: string, read: () => T): T | ConfigError {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigError) return error;
    const problem = error as NodeJS.ErrnoException;
    return new ConfigError(problem.syscall === undefined ? problem.message : readProblem(file, problem));
  }
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

const idsOf = ({ reading: { value } }: ProjectSource): UsedId[] => [
  ...idsOfProject(value, []),
  ...guildsIn(value, []),
];

/** The ids of a file that are used elsewhere. */
function repeated(source: ProjectSource, taken: Used): { key: string; issue: Issue }[] {
  return idsOf(source).flatMap(({ key, what, id, path }) => {
    const where = taken.get(key);
    if (where === undefined) return [];
    const message = `expected a unique ${what}: ${JSON.stringify(id)} is already used in ${where}`;
    return [{ key, issue: { path, message } }];
  });
}

function mistakenMain(main: RawFile, source: ProjectSource, key: string): ConfigError {
  const where = idsOf(source)
    .filter((one) => one.key === key)
    .map(({ path }) => `${source.file}, line ${source.reading.lineOf(path)}`);
  const issues = idsIn(main.raw)
    .filter((one) => one.key === key)
    .map(({ what, id, path }) => ({
      path,
      message: `expected a unique ${what}: ${JSON.stringify(id)} is already used in ${where[0]}`,
    }));
  return mistakesIn(main, issues);
}
