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

/** The error for mistakes, file by file, in the order of their lines. */
export function mistaken(mistakes: readonly ConfigMistake[]): ConfigError {
  const files = [...new Set(mistakes.map(({ file }) => file))].map((file) =>
    mistakes.filter((one) => one.file === file).toSorted((a, b) => a.line - b.line),
  );
  const lines = files.flatMap((own) => [
    `${own[0]?.file} has ${own.length === 1 ? 'a mistake' : `${own.length} mistakes`}:`,
    ...own.map(({ line, key, message }) => `  line ${line}${key === '' ? '' : `, ${key}`}: ${message}`),
  ]);
  return new ConfigError(lines.join('\n'), files.flat());
}
