import type { Command } from 'commander';
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
