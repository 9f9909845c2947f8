import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { readEnvironment } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import { readConfig } from './read-config.ts';

/**
 * Adds `completion <shell>`, which prints a script for the shell. To be called last, because it reads all other
 * commands.
 */
export function addCompletionCommand(program: Command): void {
  const { commands } = tab(program, { completionCommandName: 'completion' });
  program.commands
    .find((command) => command.name() === 'completion')
    ?.description('print a shell script that completes commands, options and the ids in the config');
  for (const { options } of commands.values()) {
    for (const [name, idsOf] of Object.entries(idsOfConfig)) {
      const option = options.get(name);
      if (option !== undefined)
        option.handler = (suggest) => suggestIds(idsOf).forEach((id) => suggest(id, ''));
    }
  }
}

/** Options whose values are ids in the config. */
const idsOfConfig: Record<string, (config: Config) => string[]> = {
  project: ({ projects }) => projects.map(({ slug }) => slug),
  server: ({ projects }) => projects.flatMap(({ servers }) => servers.map(({ id }) => id)),
  banlist: ({ projects }) => projects.flatMap(({ banlists }) => banlists.map(({ id }) => id)),
};

function suggestIds(idsOf: (config: Config) => string[]): string[] {
  try {
    return idsOf(readConfig(readEnvironment().configFile));
  } catch {
    // The config has a mistake, which check-config reports.
    return [];
  }
}
