import type { Command } from 'commander';
import type { Run } from './run.ts';

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
