import { basename, resolve } from 'node:path';
import { Option, type Command } from 'commander';
import { readEnvironment } from '../config/load.ts';
import type { Config } from '../config/schema.ts';
import { banFormats, type BanFormat } from '../server/ingest/bans/formats/index.ts';
import { importBanFile } from '../server/ingest/bans/import.ts';
import { importPlayersDb } from '../server/ingest/players/import-players-db.ts';
import { importPlayersFile } from '../server/ingest/players/import-players-json.ts';
import { waitForPaths } from './answering-paths.ts';
import { addImportAdmCommand } from './import-adm.ts';
import { addImportEventsCommand } from './import-events.ts';
import { withConfiguredStore } from './open-store.ts';
import { printResult, withJson, type Output } from './output.ts';

interface JsonOption {
  json?: boolean;
}

/** Whether the config has a list follow that file. */
function isSourceOf({ projects }: Config, listId: string, file: string, format: BanFormat): boolean {
  const sources = projects
    .flatMap(({ banlists }) => banlists)
    .filter(({ id }) => id === listId)
    .flatMap((list) => list.sources);
  return sources.some((source) => source.format === format && resolve(source.file) === resolve(file));
}

export function addImportCommands(program: Command, output: Output): void {
  const command = program
    .command('import')
    .description('import files of game servers (importing twice changes nothing)');
  addImportAdmCommand(command, output);
  addImportEventsCommand(command, output);

  withJson(command.command('players-db'))
    .description("read the characters of a server's players.db (safe while the game runs)")
    .requiredOption('--server <id>', 'the server it belongs to')
    .argument('<file>', '…/mpmissions/<mission>/storage_<n>/players.db')
    .action(async (file: string, options: JsonOption & { server: string }) => {
      await waitForPaths([file], output);
      const report = await withConfiguredStore(readEnvironment(), (db) =>
        importPlayersDb(db, { serverId: options.server, file }),
      );
      const { characters, changed, empty, backup, wipe, skipped } = report;
      const text = [
        `${file}: ${characters} characters read, figures of ${changed} players changed, ${empty} without a character.`,
        ...(wipe ? ['  The server was wiped since it was read last: every character is a new one.'] : []),
        ...(backup
          ? ['  It is a backup, an earlier state than what was read before: nothing of it counts again.']
          : []),
        ...skipped.map(({ row, reason }) => `  row ${row} skipped: ${reason}`),
      ];
      printResult(output, options, report, text.join('\n'));
    });

  withJson(command.command('bans'))
    .description('make a ban list agree with a ban file: new lines add, lines that left lift')
    .requiredOption('--banlist <id>', 'the list it feeds')
    .addOption(
      new Option('--format <format>', 'battleye: bans.txt; dayz: ban.txt; vpp: BanList.json')
        .choices(banFormats)
        .makeOptionMandatory(),
    )
    .argument('<file>')
    .action(async (file: string, options: JsonOption & { banlist: string; format: BanFormat }) => {
      await waitForPaths([file], output);
      const { banlist: listId, format } = options;
      const { report, followed } = await withConfiguredStore(readEnvironment(), async (db, config) => {
        const isFollowed = isSourceOf(config, listId, file, format);
        // The same source, so that what a running service does not believe yet counts at once.
        const origin = isFollowed ? 'config' : 'import';
        return { report: await importBanFile(db, { listId, file, format, origin }), followed: isFollowed };
      });
      const { entries, added, updated, lifted, unchanged, ipBans, unread } = report;
      const text =
        `${file}: ${entries} bans (${added} added, ${updated} updated, ${lifted} lifted, ${unchanged} unchanged), ` +
        `${ipBans} of addresses not taken, ${unread} lines that are no ban.`;
      const hint =
        `\n  What was lifted came from another ${basename(file)} or an earlier state of this one: ` +
        'files of one name count as one, so name those of several servers differently.';
      printResult(output, options, report, lifted === 0 || followed ? text : text + hint);
    });

  withJson(command.command('players'))
    .description('bring players and their figures over from elsewhere, as a JSON list')
    .requiredOption('--project <slug>', 'the project they belong to')
    .argument('<file.json>')
    .action(async (file: string, options: JsonOption & { project: string }) => {
      await waitForPaths([file], output);
      const report = await withConfiguredStore(readEnvironment(), (db) =>
        importPlayersFile(db, { project: options.project, file }),
      );
      printResult(
        output,
        options,
        report,
        `${file}: ${report.players} players, ${report.withStats} with figures.`,
      );
    });
}
