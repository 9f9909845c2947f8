#!/usr/bin/env node
import { run } from './cli/program.ts';

// The reader of the output may stop reading, as in `… | head`. That ends the command and is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
process.exitCode = await run(process.argv.slice(2));
