import { Option, type Command } from 'commander';
import type { Run } from './run.ts';

export function addFaultCommands(program: Command, run: Run): void {
  program
    .command('doctor')
    .description(
      'find what is wrong with this installation, and how to fix it: the config and everything that it names, the ' +
        'data folder, the running service, Discord. Changes nothing; exit code 1 means problems',
    )
    .option('--offline', 'ask no game server, host, service or Discord: what check-config checks')
    .action(run(async () => (await import('../doctor.ts')).doctor));

  program
    .command('check-config')
    .description(
      'check the config file, every path on this machine in it, and the store, without asking anybody else: the ' +
        'doctor of a config before it is used. Exit code 1 means problems',
    )
    .argument('[file]', 'the config file (default: OUTPOST_CONFIG or config/outpost.yaml)')
    // It is offline by itself.
    .addOption(new Option('--offline').hideHelp())
    .action(run(async () => (await import('../doctor.ts')).checkConfig));

  program
    .command('sources')
    .description(
      'show how far each source has been read, unread lines, and errors (which make it exit with 1)',
    )
    .action(run(async () => (await import('../sources.ts')).showSources));

  const source = program.command('source').description('trust the host where the files of a server are');
  source
    .command('trust')
    .description(
      "show the key that the host of a server's files was known by and the one it shows now, and accept it",
    )
    .argument('<id>', 'the server')
    .option('--yes', 'do not ask')
    .action(run(async () => (await import('../sources.ts')).trust));
}
