import { FileError } from 'game-files';
import { SourceError } from '../files/errors.ts';
import { factsOf } from '../games/table.ts';

/** The kinds of file that not every game has, by their names in `GameFacts`. */
const files = {
  characterFile: { holds: 'characters', remedy: 'leave playersDb out' },
  restartFile: { holds: 'restarts', remedy: 'write the schedule into the config' },
};

/** @throws SourceError when the game has no such kind of file */
export function assertGameHasFile(game: string, kind: keyof typeof files, file: string): void {
  if (factsOf(game)?.[kind] !== undefined) return;
  const { holds, remedy } = files[kind];
  // The remedy travels in the cause (`remedyOf`).
  const message = `Outpost reads no ${holds} of the game "${game}"`;
  throw new SourceError(file, message, { cause: new FileError({ message, remedy }) });
}
