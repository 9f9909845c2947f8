import { homedir } from 'node:os';
import type { Command } from 'commander';
import { environmentVariable, programFolders, readEnvironment } from '../../config/load.ts';
import { CommandFailure, type Output } from '../output.ts';
import { optionMistake } from './option-rules.ts';
import type { InitOptions } from './options.ts';
import { runSetup } from './run-setup.ts';
import type { Terminal } from './terminal.ts';

/** Busy servers write a line in this time; a person waits. */
const watchMs = 10_000;

export async function init(output: Output, options: InitOptions, self: Command): Promise<void> {
  const terminal = ownTerminal();
  const mistake = optionMistake(options);
  if (mistake !== null) self.error(`error: ${mistake}`);
  if (terminal === null && options.yes !== true) {
    throw new CommandFailure(
      'outpost init asks questions, and there is no terminal to ask on. Add --yes to take what the options say and ' +
        'what is found; "outpost init --help" lists the options.',
    );
  }
  await runSetup(options, {
    environment: readEnvironment(),
    envFile: '.env',
    variable: environmentVariable,
    machine: {
      platform: process.platform,
      home: homeFolder(),
      current: process.cwd(),
      variables: programFolders(),
    },
    output,
    terminal: options.yes === true ? null : terminal,
    watchMs,
  });
}

/** The working folder for a user who has no home, as in a container. */
function homeFolder(): string {
  try {
    return homedir();
  } catch {
    return process.cwd();
  }
}

/** Null: the command does not run on one. */
function ownTerminal(): Terminal | null {
  const { stdin, stdout } = process;
  return stdin.isTTY && stdout.isTTY ? { input: stdin, output: stdout } : null;
}
