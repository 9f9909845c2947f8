import { Command, CommanderError, Help } from 'commander';
import { addCommands } from './commands.ts';
import { ConfigError } from '../config/error.ts';
import { nativeModuleProblem } from './install-problem.ts';
import { SourceError } from '../server/files/errors.ts';
import { storageProblem } from '../server/store/engine/storage-errors.ts';
import { StoreError } from '../server/store/engine/error.ts';
import { FailedResult, CommandFailure, processOutput, type Output } from './output.ts';
import { version } from '../process/version.ts';

/** They report the mistakes and warnings of `.env` as findings. */
const checkCommands = new Set(['doctor', 'check-config']);
const exitFailed = 1;
const exitUsage = 2;

function createProgram(output: Output): Command {
  const program = new Command('outpost')
    .description(
      "A community's game servers on Discord and over HTTP: the service, the bot, and the owner's commands.",
    )
    .version(version, '-v, --version', 'print the version')
    // What is set before commands are added, they inherit.
    .exitOverride()
    .configureOutput({
      writeOut: (text) => output.out(text.trimEnd()),
      // As JSON, `run` prints what is wrong.
      writeErr: (text) => void (output.json || output.err(text.trimEnd())),
    })
    .configureHelp({
      optionDescription(option) {
        const text = new Help().optionDescription(option);
        return option.mandatory ? `${text} (required)`.trim() : text;
      },
    })
    .showHelpAfterError('(--help shows what is expected)')
    .hook('preAction', async (_, command) => await readDotEnv(command.name(), output));
  addCommands(program, output);
  return program;
}

/** Runs one command line. Resolves with the exit code: 0, 1 (failed) or 2 (usage). */
export async function run(args: readonly string[], to: Output = processOutput): Promise<number> {
  const json = args.includes('--json');
  // With --json, no line shows progress.
  const output: Output = json ? { json, out: to.out, err: to.err } : to;
  try {
    await createProgram(output).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof FailedResult) return exitFailed;
    const isUsage = error instanceof CommanderError;
    if (isUsage && error.exitCode === 0) return 0;
    const { message, stack = message } = isUsage ? usageMistake(error) : await explained(error);
    if (json) output.out(JSON.stringify({ error: message }));
    // As text, commander has printed a mistake in the command line itself.
    else if (!isUsage) output.err(stack);
    return isUsage ? exitUsage : exitFailed;
  }
}

/** Loaded only when a command runs, because the schema of the environment takes long to load. */
async function readDotEnv(command: string, output: Output): Promise<void> {
  const { loadDotEnv } = await import('../config/load.ts');
  try {
    const warnings = loadDotEnv();
    if (!checkCommands.has(command)) warnings.forEach(output.err);
  } catch (error) {
    if (!checkCommands.has(command) || !(error instanceof ConfigError)) throw error;
  }
}

/** What to print for an error. Only an unexpected one, a bug in Outpost, keeps its stack. */
interface Explanation {
  message: string;
  stack?: string | undefined;
}

const usageMistake = ({ code, message }: CommanderError): Explanation => ({
  message:
    code === 'commander.help' ? 'expected a command; --help lists them' : message.replace(/^error: /, ''),
});

const expectedErrors = [ConfigError, CommandFailure, SourceError, StoreError];

async function explained(error: unknown): Promise<Explanation> {
  const { message, stack, code, path, cause } = error as NodeJS.ErrnoException;
  const install = nativeModuleProblem(error) ?? nativeModuleProblem(cause);
  if (install !== null) return { message: install };
  if (expectedErrors.some((kind) => error instanceof kind)) return { message };
  // The disk can fill up, or damage can appear, while a command runs.
  const place = String(code).startsWith('SQLITE_')
    ? (await import('../config/load.ts')).readEnvironment().dataFolder
    : ['EACCES', 'EPERM'].includes(String(code))
      ? path
      : undefined;
  const problem = place === undefined ? null : storageProblem(place, error);
  return problem === null ? { message, stack } : { message: problem.message };
}
