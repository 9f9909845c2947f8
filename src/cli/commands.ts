import type { Command } from 'commander';
import { addDataCommands, addFaultCommands, addSetUpCommands } from './commands/installation.ts';
import { addPlayersCommands } from './commands/players.ts';
import { type Run, runWith } from './commands/run.ts';
import type { Output } from './output.ts';

/** The groups of the help. They hold the command line's words and options; what a command does is loaded when it runs. */
const groups: Readonly<Record<string, (program: Command, run: Run) => void>> = {
  'Set up and run:': addSetUpCommands,
  'Find out what is wrong:': addFaultCommands,
  'Players, bans and access:': addPlayersCommands,
  'Keep and move data:': addDataCommands,
};

const examples = `
Examples:
  outpost demo                try everything on this machine
  outpost init                write the config, with a few questions
  outpost start               run the service and the bot
  outpost doctor              find out why something does not work
  outpost import adm --help   all about one command

Call it in the folder with config/outpost.yaml, .env and data, or name others in
OUTPOST_CONFIG and OUTPOST_DATA. Exit codes: 0 done, 1 failed or something is
wrong, 2 wrong usage.

Documentation: docs/setup.md and docs/operation.md in Outpost's folder`;

export function addCommands(program: Command, output: Output): void {
  const run = runWith(output);
  for (const [heading, add] of Object.entries(groups)) {
    program.commandsGroup(heading);
    add(program, run);
  }
  program.commands.forEach(addJsonOption);
  program.commandsGroup('Help:').helpCommand(true).addHelpText('after', examples);
}

/** Every command that does something has it. What is printed then, `run` of `program.ts` decides. */
function addJsonOption(command: Command): void {
  command.commands.forEach(addJsonOption);
  const hasOwn = command.options.some(({ long }) => long === '--json');
  if (command.commands.length === 0 && !hasOwn) command.option('--json', 'print the result as JSON');
}
