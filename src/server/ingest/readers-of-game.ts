import { FileError } from 'game-files';
import { SourceError } from '../files/errors.ts';
import type { Game } from '../games/game.ts';
import { gameOf } from '../games/index.ts';

/** What reads a server's characters. @throws SourceError when the game has none */
export function charactersOf(game: string, file: string): NonNullable<Game['characters']> {
  return (
    gameOf(game)?.characters ??
    fail(file, `Outpost reads no characters of the game "${game}"`, 'leave playersDb out')
  );
}

/** What reads when a server restarts. @throws SourceError when the game has no such file */
export function restartReaderOf(game: string, file: string): NonNullable<Game['readRestart']> {
  return (
    gameOf(game)?.readRestart ??
    fail(file, `Outpost reads no restarts of the game "${game}"`, 'write the schedule into the config')
  );
}

function fail(file: string, problem: string, remedy: string): never {
  throw new SourceError(file, problem, { cause: new FileError({ message: problem, remedy }) });
}
