/** A source that cannot be read: names the file and says what was expected. Nothing of it was written. */
export class SourceError extends Error {
  override name = 'SourceError';
  readonly file: string;

  constructor(file: string, problem: string, options?: ErrorOptions) {
    super(`${file}: ${problem}`, options);
    this.file = file;
  }
}

/** The code of a file system error, or of the one that is its cause. */
export function fileErrorCode(error: unknown): string | undefined {
  const { code, cause } = error as NodeJS.ErrnoException;
  return code ?? (cause as NodeJS.ErrnoException | undefined)?.code;
}

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
    case 'ENOTFILE':
    case 'ECHANGED':
    case 'ESILENT':
    case 'ECLOSED':
      return (error as Error).message;
    default:
      return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
