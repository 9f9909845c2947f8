import { FileError } from 'game-files';
import { SourceError } from '../files/errors.ts';
import { factsOf } from '../games/table.ts';

/** The files that not every game has, by what a game's facts call them. */
const files = {
  characterFile: { holds: 'characters', remedy: 'leave playersDb out' },
  restartFile: { holds: 'restarts', remedy: 'write the schedule into the config' },
};

/** @throws SourceError when a server's game has no such file */
export function requireGameFile(game: string, kind: keyof typeof files, file: string): void {
  if (factsOf(game)?.[kind] !== undefined) return;
  const { holds, remedy } = files[kind];
  const message = `Outpost reads no ${holds} of the game "${game}"`;
  throw new SourceError(file, message, { cause: new FileError({ message, remedy }) });
}
