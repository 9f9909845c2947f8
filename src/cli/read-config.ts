import type { KnownGames } from '../config/games.ts';
import * as load from '../config/load.ts';
import { projectCopies } from '../config/project-copies.ts';
import { ProjectFiles } from '../config/project-files.ts';
import type { Config } from '../config/schema.ts';
import { isGameType, typesByName } from '../server/live/game-types.ts';

export const knownGames: KnownGames = { has: isGameType, typesByName };

/** What is known of the files of projects, with those that counted in the running or the last Outpost. */
export function knownProjectFiles(): ProjectFiles {
  return new ProjectFiles(projectCopies(load.readEnvironment().dataFolder).read);
}

/**
 * Reads and checks the owner's config file and the files of projects.
 * @throws ConfigError with every mistake of the config file and its line
 */
export function readConfig(file: string, files = knownProjectFiles()): Config {
  return load.readConfig(file, knownGames, files);
}
