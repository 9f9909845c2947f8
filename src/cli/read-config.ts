import type { KnownGames } from '../config/games.ts';
import * as load from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import { isGameType, typesByName } from '../server/live/game-types.ts';

export const knownGames: KnownGames = { has: isGameType, typesByName };

/**
 * Reads and checks the owner's config file and the files of projects.
 * @throws ConfigError with every mistake and its line
 */
export function readConfig(file: string): Config {
  return load.readConfig(file, knownGames);
}
