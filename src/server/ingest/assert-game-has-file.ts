import { FileError } from 'game-files';
import { SourceError } from '../files/errors.ts';
import { factsOf } from '../games/table.ts';

/** Files that only some games have (`GameFacts`): what each holds, and what the owner of another game does instead. */
const optionalFiles = {
  characterFile: { holds: 'characters', remedy: 'leave playersDb out' },
  restartFile: { holds: 'restarts', remedy: 'write the schedule into the config' },
};

/** @throws SourceError that names the file of the config when the game has none of this kind */
export function assertGameHasFile(game: string, kind: keyof typeof optionalFiles, file: string): void {
  if (factsOf(game)?.[kind] !== undefined) return;
  const { holds, remedy } = optionalFiles[kind];
  // `remedyOf` reads the remedy from the cause.
  const message = `Outpost reads no ${holds} of the game "${game}"`;
  throw new SourceError(file, message, { cause: new FileError({ message, remedy }) });
}
