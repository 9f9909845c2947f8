import type { FileError } from 'game-files';

/** A source cannot be read. The message names the file and says what was expected. Nothing of it was stored. */
export class SourceError extends Error {
  override name = 'SourceError';
  readonly file: string;

  constructor(file: string, problem: string, options?: ErrorOptions) {
    super(`${file}: ${problem}`, options);
    this.file = file;
  }
}

/** The code of a file system error, or of the one that caused it. */
export function fileErrorCode(error: unknown): string | undefined {
  const { code, cause } = error as NodeJS.ErrnoException;
  return code ?? (cause as NodeJS.ErrnoException | undefined)?.code;
}

/** Whether a request finds no such file or folder. */
export async function findsNothing(request: Promise<unknown>): Promise<boolean> {
  return await request.then(
    () => false,
    (error: unknown) => fileErrorCode(error) === 'ENOENT',
  );
}

/** What the owner can do about a file error, or the one that is its cause; null: what its code says. */
export function remedyOf(error: unknown): string | null {
  const cause = error instanceof SourceError ? error.cause : error;
  return (cause as Partial<FileError> | undefined)?.remedy ?? null;
}

/** Why a file cannot be read, with its name. */
export function sourceProblem(file: string, error: unknown): string {
  return error instanceof SourceError ? error.message : `${file}: ${fileProblem(error)}`;
}

/** Explains a file system error to an owner. */
export function fileProblem(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  switch (code) {
    case 'ENOENT':
      return 'no such file';
    case 'EACCES':
    case 'EPERM':
      return 'may not be read: no permission';
    case 'EBUSY':
      return 'is open in another program, which lets no other read it';
    case 'ENOTDIR':
      return 'is a file, a folder was expected';
    case 'EISDIR':
      return 'is a folder, a file was expected';
    case 'ENOTFILE':
    case 'ECHANGED':
    case 'ECLOSED':
    case 'EREMOTE':
      return (error as Error).message;
    default:
      return `cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
