#!/usr/bin/env node
import { nativeModuleProblem, nodeProblem } from './cli/install-problem.ts';
import { lowerPriority } from './process/low-priority.ts';
import { allowNewSpaceToGrow } from './process/v8-flags.ts';

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // The reader of the output may stop reading, as in `… | head`. That ends the command and is no failure.
  if (code === 'EPIPE') process.exit();
  // The disk with the log is full. The service goes on without it.
  if (process.argv[2] === 'start') return;
  process.stderr.write(
    `cannot write the output: ${message}. Write it elsewhere, and run the command again.\n`,
  );
  process.exit(1);
});
// There is nowhere left to say so, and without a listener the process would end.
process.stderr.on('error', () => undefined);
// Whatever Outpost creates is its user's alone: the store and its backups hold what the config keeps private. SQLite takes
// no mode for its files. A file that others have to read gets its mode explicitly.
process.umask(0o077);
// Until the service has started. Here, since V8 enlarges it as soon as the command line is loaded.
if (process.argv[2] === 'start') allowNewSpaceToGrow(false);
// An import runs beside the game server and the service, and to load it is half a second of work.
if (process.argv[2] === 'import') lowerPriority();
process.exitCode = await main();

async function main(): Promise<number> {
  let problem = nodeProblem();
  try {
    // Loaded only now: an unsupported Node.js may not understand what it imports.
    if (problem === null) return await (await import('./cli/program.ts')).run(process.argv.slice(2));
  } catch (error) {
    problem = nativeModuleProblem(error);
    if (problem === null) throw error;
  }
  process.stderr.write(`${problem}\n`);
  return 1;
}
