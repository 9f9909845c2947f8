import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import type { Config } from '../config/schema.ts';

/**
 * Adds `completion <shell>`, which prints a script for the shell. To be called last, because it reads all other
 * commands.
 * @param words of the command line: the config is read only where one of its ids is completed
 */
export async function addCompletionCommand(program: Command, words: readonly string[]): Promise<void> {
  const { commands } = tab(program, { completionCommandName: 'completion' });
  program.commands
    .find((command) => command.name() === 'completion')
    ?.description('print a shell script that completes commands, options and the ids in the config');
  if (words[0] !== completeCommand) return;
  for (const [name, idsOf] of Object.entries(idsOfConfig)) {
    if (!words.some((word) => word.startsWith(`--${name}`))) continue;
    const ids = await readIds(idsOf);
    for (const { options } of commands.values()) {
      const option = options.get(name);
      if (option !== undefined) option.handler = (suggest) => ids.forEach((id) => suggest(id, ''));
    }
  }
}

/** The hidden command that a shell calls each time the Tab key is pressed; it prints only suggestions. */
export const completeCommand = 'complete';

/** Options whose values are ids in the config. */
const idsOfConfig: Record<string, (config: Config) => string[]> = {
  project: ({ projects }) => projects.map(({ slug }) => slug),
  server: ({ projects }) => projects.flatMap(({ servers }) => servers.map(({ id }) => id)),
  banlist: ({ projects }) => projects.flatMap(({ banlists }) => banlists.map(({ id }) => id)),
};

async function readIds(idsOf: (config: Config) => string[]): Promise<string[]> {
  try {
    const { loadDotEnv, readEnvironment } = await import('../config/load.ts');
    const { readConfig } = await import('./read-config.ts');
    loadDotEnv();
    return idsOf(readConfig(readEnvironment().configFile));
  } catch {
    // The config has a mistake, which check-config reports.
    return [];
  }
}
