import { Command, CommanderError, Help } from 'commander';
import { loadDotEnv, readEnvironment } from '../config/load.ts';
import { ConfigError } from '../config/error.ts';
import { addAppCommands } from './app.ts';
import { SourceError } from '../server/ingest/errors.ts';
import { storageProblem } from '../server/store/storage-problem.ts';
import { StoreError } from '../server/store/store-error.ts';
import { addBanCommands } from './ban.ts';
import { addCheckConfigCommand } from './check-config.ts';
import { addCompletionCommand, completeCommand } from './completion.ts';
import { addDemoCommand } from './demo.ts';
import { addDeployCommandsCommand } from './deploy-commands.ts';
import { addGamesCommand } from './games.ts';
import { addImportCommands } from './import.ts';
import { FailedResult, CommandFailure, processOutput, type Output } from './output.ts';
import { addServerCommands } from './server.ts';
import { addSourcesCommand } from './sources.ts';
import { addStartCommand } from './start.ts';
import { version } from '../process/version.ts';

const exitFailed = 1;
const exitUsage = 2;

/** The owner's commands. */
export function createProgram(output: Output, json = false): Command {
  const program = new Command('outpost')
    .description(
      "A community's game servers on Discord and over HTTP: the service, the bot, and the owner's commands.",
    )
    .version(version)
    .configureOutput({
      writeOut: (text) => output.out(text.trimEnd()),
      // As JSON, a mistake in the command line is the result, like any other failure.
      writeErr: (text) => void (json || output.err(text.trimEnd())),
    })
    .configureHelp({
      optionDescription(option) {
        const text = new Help().optionDescription(option);
        return option.mandatory ? `${text} (required)`.trim() : text;
      },
    })
    .showHelpAfterError('(--help shows what is expected)');
  addStartCommand(program);
  addDemoCommand(program, output);
  addCheckConfigCommand(program, output);
  addGamesCommand(program, output);
  addAppCommands(program, output);
  addImportCommands(program, output);
  addSourcesCommand(program, output);
  addServerCommands(program, output);
  addBanCommands(program, output);
  addDeployCommandsCommand(program, output);
  addCompletionCommand(program);
  exitInsteadOfEnding(program);
  return program;
}

/** Subcommands do not inherit this from commander by themselves. */
function exitInsteadOfEnding(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    exitInsteadOfEnding(child);
  }
}

/** Runs one command line. Resolves with the exit code: 0, 1 (failed) or 2 (usage). */
export async function run(args: readonly string[], output: Output = processOutput): Promise<number> {
  const json = args.includes('--json');
  const fail = (message: string, text: string, code: number): number => {
    if (json) output.out(JSON.stringify({ error: message }));
    else if (text !== '') output.err(text);
    return code;
  };
  try {
    const warnings = loadDotEnv();
    if (args[0] !== completeCommand) for (const warning of warnings) output.err(warning);
    await createProgram(output, json).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? 0 : fail(usageMistake(error), '', exitUsage);
    if (error instanceof FailedResult) return exitFailed;
    const { message, stack } = explained(error);
    return fail(message, stack ?? message, exitFailed);
  }
}

/** Commander prints it by itself, as text. */
function usageMistake({ code, message }: CommanderError): string {
  return code === 'commander.help'
    ? 'expected a command; --help lists them'
    : message.replace(/^error: /, '');
}

const expectedErrors = [ConfigError, CommandFailure, SourceError, StoreError];

/** What to print of an error. Only an unexpected one, a fault of Outpost's own, keeps its stack. */
function explained(error: unknown): { message: string; stack?: string | undefined } {
  const known = expectedErrors.some((kind) => error instanceof kind) ? (error as Error) : null;
  const { message, stack, code } = error as NodeJS.ErrnoException;
  if (known !== null) return { message };
  // A disk that fills up, or damage that shows only now, in the middle of a command.
  const isStorage = String(code).startsWith('SQLITE_');
  const problem = isStorage ? storageProblem(readEnvironment().dataFolder, error) : null;
  return problem === null ? { message, stack } : { message: problem.message };
}
