export interface ConfigMistake {
  /** The file, as its path was given. */
  file: string;
  /** Line in the file, from 1. */
  line: number;
  /** `projects[0].servers[1].port`; empty for the file as a whole. */
  key: string;
  /** What was expected. */
  message: string;
}

/** A config file or the environment cannot be used; the message is meant for the owner. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly mistakes: readonly ConfigMistake[];

  constructor(message: string, mistakes: readonly ConfigMistake[] = []) {
    super(message);
    this.mistakes = mistakes;
  }
}

/** One error for all mistakes: file by file, in the order of their lines. */
export function errorOf(mistakes: readonly ConfigMistake[]): ConfigError {
  const files = [...new Set(mistakes.map(({ file }) => file))].map((file) =>
    mistakes.filter((mistake) => mistake.file === file).toSorted((a, b) => a.line - b.line),
  );
  const lines = files.flatMap((inFile) => [
    `${inFile[0]?.file} has ${inFile.length === 1 ? 'a mistake' : `${inFile.length} mistakes`}:`,
    ...inFile.map(({ line, key, message }) => `  line ${line}${key === '' ? '' : `, ${key}`}: ${message}`),
  ]);
  return new ConfigError(lines.join('\n'), files.flat());
}
