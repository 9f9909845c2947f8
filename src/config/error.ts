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
