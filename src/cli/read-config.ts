import * as load from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import { isGameType } from '../server/live/game-types.ts';

/**
 * Reads and checks the owner's config file and the files of projects.
 * @throws ConfigError with every mistake and its line
 */
export function readConfig(file: string): Config {
  return load.readConfig(file, isGameType);
}
