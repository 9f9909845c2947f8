import { Option, type Command } from 'commander';
import { allRoles } from '../../config/roles.ts';
import { withInitOptions } from '../init/options.ts';
import type { Run } from './run.ts';
import { readRoles } from './values.ts';

export function addSetUpCommands(program: Command, run: Run): void {
  program
    .command('demo')
    .description('try everything without an account: a local Discord, simulated game servers, real logs')
    .action(run(async () => (await import('../demo.ts')).runDemo));

  const init = program
    .command('init')
    .description('set Outpost up: name the game server, connect the bot, write the config');
  withInitOptions(init).action(run(async () => (await import('../init/init.ts')).init));

  program
    .command('start')
    .option('--json', 'log as JSON, on a terminal too')
    .description('run the service and the bot until a signal (SIGHUP reloads the config)')
    .option(
      '--roles <list>',
      `what this process does, of several on one PostgreSQL store: ${allRoles.join(',')} (default: all)`,
      readRoles,
    )
    .action(run(async () => (await import('../start.ts')).startOutpost));

  program
    .command('deploy-commands')
    .description('register the slash commands at Discord, as each start does if they have changed')
    .action(run(async () => (await import('../deploy-commands.ts')).deploy));
}

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

export function addDataCommands(program: Command, run: Run): void {
  program
    .command('backup')
    .description('back up the data folder, also while Outpost runs on it; config and .env are not part of it')
    .argument(
      '[file]',
      'a folder that is there, or a new file such as a.sqlite.gz; the default is the folder "backups" of the data folder',
    )
    .action(run(async () => (await import('../data.ts')).backUp));

  program
    .command('restore')
    .description('replace the data by a backup; Outpost must not be running on the data folder')
    .argument('<file>', 'a backup made by "outpost backup"')
    .action(run(async () => (await import('../data.ts')).restore));

  const server = program.command('server').description('delete the data of a server');
  server
    .command('forget')
    .description(
      'delete the data of a server that is no longer in the config; the figures of its players are computed again',
    )
    .argument('<id>', 'the server')
    .option('--yes', 'do not ask')
    .action(run(async () => (await import('../data.ts')).forgetServerData));

  const store = program.command('store').description('move the data to PostgreSQL');
  store
    .command('copy')
    .description(
      'copy the data folder into an empty database of PostgreSQL, and check the copy; Outpost must not be running on it',
    )
    .option('--to <url>', 'postgres://user:password@host/database; the default is OUTPOST_STORE_URL')
    .option('--from <folder>', 'the data folder; the default is OUTPOST_DATA')
    .action(run(async () => (await import('../data.ts')).copyStore));
}
