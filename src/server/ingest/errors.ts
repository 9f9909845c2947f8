/** A source that cannot be read: names the file and says what was expected. Nothing of it was written. */
export class SourceError extends Error {
  override name = 'SourceError';
  readonly file: string;

  constructor(file: string, problem: string, options?: ErrorOptions) {
    super(`${file}: ${problem}`, options);
    this.file = file;
  }
}

export const notAnAdminLog = 'is not a DayZ admin log: no line "AdminLog started on <date> at <time>" in it';

/** Why a file cannot be read, with its name. */
export function sourceProblem(file: string, error: unknown): string {
  return error instanceof SourceError ? error.message : `${file}: ${fileProblem(error)}`;
}

/** What a file system error means to an owner. */
export function fileProblem(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  switch (code) {
    case 'ENOENT':
      return 'no such file';
    case 'EACCES':
    case 'EPERM':
      return 'may not be read: no permission';
    case 'ENOTDIR':
      return 'is a file, a folder was expected';
    case 'EISDIR':
      return 'is a folder, a file was expected';
    default:
      return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
