import type { Command } from 'commander';
import { version } from '../process/version.ts';
import { printResult, withJson, type Output } from './output.ts';

export type AddCommand = (program: Command, output: Output) => void;

type Loader = () => Promise<AddCommand>;

/** How to add each command, in the groups of the help. Most of them need a lot of code, so only the requested one is loaded. */
export const commandGroups: Readonly<Record<string, Readonly<Record<string, Loader>>>> = {
  'Set up and run:': {
    demo: async () => (await import('./demo.ts')).addDemoCommand,
    init: async () => (await import('./init/init.ts')).addInitCommand,
    start: async () => (await import('./start.ts')).addStartCommand,
    'deploy-commands': async () => (await import('./deploy-commands.ts')).addDeployCommandsCommand,
  },
  'Find out what is wrong:': {
    doctor: async () => (await import('./doctor/doctor.ts')).addDoctorCommand,
    'check-config': async () => (await import('./check-config/check-config.ts')).addCheckConfigCommand,
    sources: async () => (await import('./sources.ts')).addSourcesCommand,
    processes: async () => (await import('./processes.ts')).addProcessesCommand,
    source: async () => (await import('./source.ts')).addSourceCommands,
    games: async () => (await import('./games.ts')).addGamesCommand,
    version: async () => addVersionCommand,
  },
  'Players, bans and access:': {
    import: async () => (await import('./import/import.ts')).addImportCommands,
    player: async () => (await import('./player.ts')).addPlayerCommands,
    ban: async () => (await import('./ban.ts')).addBanCommands,
    app: async () => (await import('./app.ts')).addAppCommands,
  },
  'Keep and move data:': {
    backup: async () => (await import('./backup/backup.ts')).addBackupCommand,
    restore: async () => (await import('./backup/restore.ts')).addRestoreCommand,
    server: async () => (await import('./server.ts')).addServerCommands,
    config: async () => (await import('./config.ts')).addConfigCommands,
    store: async () => (await import('./store.ts')).addStoreCommands,
  },
};
const commands: Readonly<Record<string, Loader>> = Object.assign({}, ...Object.values(commandGroups));

export const examples = `
Examples:
  outpost demo                try everything on this machine
  outpost init                write the config, with a few questions
  outpost start               run the service and the bot
  outpost doctor              find out why something does not work
  outpost import adm --help   all about one command

Documentation: docs/setup.md and docs/operation.md in Outpost's folder`;

/** Whether the first argument names a command. Otherwise (help, completion) all of them are loaded. */
export const isCommand = (name: string | undefined): name is string =>
  name !== undefined && Object.hasOwn(commands, name);

/** @param name of a command */
export async function loadCommand(name: string): Promise<AddCommand> {
  const load = commands[name];
  if (load === undefined) throw new Error(`no command ${name}`);
  return await load();
}

function addVersionCommand(program: Command, output: Output): void {
  withJson(program.command('version'))
    .description('print the version')
    .action((options: { json?: boolean }) => printResult(output, options, { version }, version));
}
