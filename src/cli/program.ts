import { Command, CommanderError, Help } from 'commander';
import { loadDotEnv, readEnvironment } from '../config/load.ts';
import { ConfigError } from '../config/error.ts';
import { SourceError } from '../server/ingest/errors.ts';
import { storageProblem } from '../server/store/storage-errors.ts';
import { StoreError } from '../server/store/error.ts';
import { FailedResult, CommandFailure, processOutput, type Output } from './output.ts';
import { version } from '../process/version.ts';

/** The hidden command that a shell calls at each press of the Tab key: it prints nothing but suggestions. */
const completeCommand = 'complete';
const exitFailed = 1;
const exitUsage = 2;

type AddCommand = (program: Command, output: Output) => void;

/** What adds each command. Most of them need a lot of code, so only the one that is asked for is loaded. */
const commands = {
  start: async () => (await import('./start.ts')).addStartCommand,
  demo: async () => (await import('./demo.ts')).addDemoCommand,
  'check-config': async () => (await import('./check-config.ts')).addCheckConfigCommand,
  games: async () => (await import('./games.ts')).addGamesCommand,
  app: async () => (await import('./app.ts')).addAppCommands,
  import: async () => (await import('./import.ts')).addImportCommands,
  sources: async () => (await import('./sources.ts')).addSourcesCommand,
  server: async () => (await import('./server.ts')).addServerCommands,
  ban: async () => (await import('./ban.ts')).addBanCommands,
  'deploy-commands': async () => (await import('./deploy-commands.ts')).addDeployCommandsCommand,
};
type CommandName = keyof typeof commands;

/** Whether the first argument names a command; otherwise, as for help and completion, all of them are needed. */
const isCommand = (name: string | undefined): name is CommandName =>
  name !== undefined && Object.hasOwn(commands, name);

/** The owner's commands: the one that is named, or all. */
async function createProgram(output: Output, json: boolean, name: string | undefined): Promise<Command> {
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
  for (const load of isCommand(name) ? [commands[name]] : Object.values(commands)) {
    const add: AddCommand = await load();
    add(program, output);
  }
  if (!isCommand(name)) (await import('./completion.ts')).addCompletionCommand(program);
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
    const program = await createProgram(output, json, args[0]);
    await program.parseAsync(args, { from: 'user' });
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
