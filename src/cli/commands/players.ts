import { Option, type Command } from 'commander';
import { scopes } from '../../api/access.ts';
import { banCategories } from '../../api/ban-categories.ts';
import { gameBanFiles, ofAllGames } from '../../server/games/table.ts';
import { rightsTargetExpectation } from '../../server/ingest/players/rights-target.ts';
import type { Run } from './run.ts';
import { readDuration, readName, readPlayer, readReason, readScopes, readTarget } from './values.ts';

export function addPlayersCommands(program: Command, run: Run): void {
  addImport(program, run);
  addPlayer(program, run);
  addBan(program, run);
  addApp(program, run);
}

const banFiles = gameBanFiles.map(({ format, file }) => `${format}: ${file}`).join('; ');
/** `nitrado`: the names in the settings of a server at Nitrado, as a file. */
const banFormats = [...gameBanFiles.map(({ format }) => format), 'nitrado'].toSorted();

function addImport(program: Command, run: Run): void {
  const command = program
    .command('import')
    .description('import files of game servers (importing twice changes nothing)');
  addImportAdm(command, run);

  command
    .command('players-db')
    .description("read a server's file of characters (safe while the game runs)")
    .requiredOption('--server <id>', 'the server it belongs to')
    .argument(
      '<file>',
      ofAllGames(({ characterFile }) => characterFile?.path),
    )
    .action(run(async () => (await import('../import/import.ts')).importCharacters));

  command
    .command('bans')
    .description('make a ban list agree with a ban file: new lines add bans, removed lines lift them')
    .requiredOption('--banlist <id>', 'the ban list')
    .addOption(new Option('--format <format>', banFiles).choices(banFormats).makeOptionMandatory())
    .argument('<file>')
    .action(run(async () => (await import('../import/import.ts')).importBans));

  command
    .command('players')
    .description('import players and their figures from a JSON file (docs/files.md shows one)')
    .requiredOption('--project <slug>', 'the project they belong to')
    .argument('<file.json>')
    .action(run(async () => (await import('../import/import.ts')).importPlayers));
}

function addImportAdm(command: Command, run: Run): void {
  command
    .command('adm')
    .description(`count the logs of a server: ${ofAllGames(({ words }) => words.logFiles)}`)
    .requiredOption('--server <id>', 'the server that wrote them')
    .argument(
      '<file...>',
      'files, or folders of them and those below, in any order; logs with SteamID64s beside them are read, too',
    )
    .action(run(async () => (await import('../import/import-adm.ts')).importAdm));
}

function addPlayer(program: Command, run: Run): void {
  const command = program
    .command('player')
    .description('find, hide or forget a player, or print what is stored of a player');

  command
    .command('find')
    .description('the players with this text in a name, and their identifiers; those seen last come first')
    .argument('<name>', 'a name, or a part of one', readName)
    .action(run(async () => (await import('../player.ts')).find));

  for (const action of ['hide', 'show'] as const) {
    const about =
      action === 'hide'
        ? 'hide a player from boards, look-ups, feeds and lists; everything is still counted'
        : 'show a hidden player again';
    withPlayer(command.command(action).description(about)).action(
      run(async () => (await import('../player.ts')).hideOrShow),
    );
  }

  withPlayer(command.command('forget'))
    .description("delete a player's data, and keep them from being stored again")
    .option('--yes', 'do not ask')
    .action(run(async () => (await import('../player.ts')).forget));

  withPlayer(command.command('export'))
    .description('print everything stored of a player as JSON, for a request for access')
    .action(run(async () => (await import('../player.ts')).exportData));
}

function withPlayer(command: Command): Command {
  return command
    .argument('[identifier]', rightsTargetExpectation, readTarget)
    .option(
      '--name <name>',
      'everybody who goes or went by this name, for players without a known identifier',
    );
}

function addBan(program: Command, run: Run): void {
  const command = program.command('ban').description('show bans, and add and lift them by hand');

  command
    .command('list')
    .description('the bans in force, newest first, with their end')
    .option('--banlist <id>', 'only those of this ban list')
    .action(run(async () => (await import('../ban.ts')).list));

  withBannedPlayer(command.command('add'))
    .description('ban a player on a list; PENDING on a server until its own file bans the player')
    .addOption(
      new Option('--category <category>', 'the kind of offence').choices(banCategories).makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', 'shown to members', readReason)
    .option('--for <duration>', 'such as 12h, 7d or 2w (default: permanent)', readDuration)
    .action(run(async () => (await import('../ban.ts')).add));

  withBannedPlayer(command.command('lift'))
    .description('lift the bans of a player that were made by hand or imported')
    .action(run(async () => (await import('../ban.ts')).lift));
}

function withBannedPlayer(command: Command): Command {
  return command
    .requiredOption('--banlist <id>', 'the ban list, as in the config')
    .requiredOption('--player <identifier>', rightsTargetExpectation, readPlayer);
}

function addApp(program: Command, run: Run): void {
  const app = program.command('app').description('manage the applications that may read the service');

  app
    .command('create')
    .description('create an application; its id and secret are printed once')
    .requiredOption('--project <slug>', 'the project it may read')
    .requiredOption('--name <name>', 'display name', readName)
    .requiredOption('--scopes <list>', `comma-separated, or "all": ${scopes.join(', ')}`, readScopes)
    .action(run(async () => (await import('../app.ts')).create));

  app
    .command('list')
    .description('list the applications, without their secrets')
    .action(run(async () => (await import('../app.ts')).list));

  app
    .command('rotate')
    .description('replace the secret; all tokens issued before become invalid at once')
    .argument('<id>', 'the application id')
    .action(run(async () => (await import('../app.ts')).rotate));

  app
    .command('revoke')
    .description('revoke all access permanently')
    .argument('<id>', 'the application id')
    .action(run(async () => (await import('../app.ts')).revoke));
}
