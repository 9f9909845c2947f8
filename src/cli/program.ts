import { Command, CommanderError, Help } from 'commander';
import { addCommands } from './commands.ts';
import { ConfigError } from '../config/error.ts';
import { nativeModuleProblem } from './install-problem.ts';
import { SourceError } from '../server/files/errors.ts';
import { storageProblem } from '../server/store/engine/storage-errors.ts';
import { StoreError } from '../server/store/engine/error.ts';
import { FailedResult, CommandFailure, processOutput, type Output } from './output.ts';
import { version } from '../process/version.ts';

/** They report the warnings as findings. */
const checkCommands = new Set(['doctor', 'check-config']);
const exitFailed = 1;
const exitUsage = 2;

function createProgram(output: Output, json: boolean): Command {
  const program = new Command('outpost')
    .description(
      "A community's game servers on Discord and over HTTP: the service, the bot, and the owner's commands.",
    )
    .version(version, '-v, --version', 'print the version')
    // What is set before commands are added, they inherit.
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.out(text.trimEnd()),
      // With --json, a mistake in the command line is reported as the result, like any other failure.
      writeErr: (text) => void (json || output.err(text.trimEnd())),
    })
    .configureHelp({
      optionDescription(option) {
        const text = new Help().optionDescription(option);
        return option.mandatory ? `${text} (required)`.trim() : text;
      },
    })
    .showHelpAfterError('(--help shows what is expected)');
  addCommands(program, output);
  return program;
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
    const program = createProgram(output, json);
    program.hook('preAction', (_, command) => readDotEnv(command.name(), output));
    await program.parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError)
      return error.exitCode === 0 ? 0 : fail(usageMistake(error), '', exitUsage);
    if (error instanceof FailedResult) return exitFailed;
    const { message, stack } = await explained(error);
    return fail(message, stack ?? message, exitFailed);
  }
}

/** Loaded only when a command runs, because the schema of the environment takes long to load. */
async function readDotEnv(command: string, output: Output): Promise<void> {
  const { loadDotEnv } = await import('../config/load.ts');
  if (!checkCommands.has(command)) return loadDotEnv().forEach(output.err);
  try {
    loadDotEnv();
  } catch (error) {
    // The check reports what is wrong with `.env`, and checks the rest all the same.
    if (!(error instanceof ConfigError)) throw error;
  }
}

/** The message for a mistake in the command line; as text, commander prints it itself. */
function usageMistake({ code, message }: CommanderError): string {
  return code === 'commander.help'
    ? 'expected a command; --help lists them'
    : message.replace(/^error: /, '');
}

const expectedErrors = [ConfigError, CommandFailure, SourceError, StoreError];

/** What to print for an error. Only an unexpected one, a bug in Outpost, keeps its stack. */
async function explained(error: unknown): Promise<{ message: string; stack?: string | undefined }> {
  const known = expectedErrors.some((kind) => error instanceof kind) ? (error as Error) : null;
  const { message, stack, code, path } = error as NodeJS.ErrnoException;
  const install = nativeModuleProblem(error) ?? nativeModuleProblem((error as Error).cause);
  if (install !== null) return { message: install };
  if (known !== null) return { message };
  // The disk can fill up, or damage can appear, while a command runs.
  const place = String(code).startsWith('SQLITE_')
    ? (await import('../config/load.ts')).readEnvironment().dataFolder
    : ['EACCES', 'EPERM'].includes(String(code))
      ? path
      : undefined;
  const problem = place === undefined ? null : storageProblem(place, error);
  return problem === null ? { message, stack } : { message: problem.message };
}
