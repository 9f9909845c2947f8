import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Option, type Command } from 'commander';
import { readEnvironment } from '../config.ts';
import { importAdminLogs, type AdminLogReport } from '../server/ingest/admin-log-import.ts';
import { banFormats, type BanFormat } from '../server/ingest/ban-formats.ts';
import { importBanFile } from '../server/ingest/bans.ts';
import { isServerLog } from '../server/ingest/log-files.ts';
import { importPlayersDb } from '../server/ingest/players-db-import.ts';
import { importPlayersFile } from '../server/ingest/players-file.ts';
import { withConfiguredStore } from './open-store.ts';
import { CommandFailure, printResult, withJson, type Output } from './output.ts';
import { showProgress } from './progress.ts';

interface JsonOption {
  json?: boolean;
}

export function addImportCommands(program: Command, output: Output): void {
  const command = program
    .command('import')
    .description('bring in what game servers wrote (twice changes nothing)');
  addImportAdm(command, output);

  withJson(command.command('players-db'))
    .description("read the characters of a server's players.db (safe while the game runs)")
    .requiredOption('--server <id>', 'the server it belongs to')
    .argument('<file>', '…/mpmissions/<mission>/storage_<n>/players.db')
    .action(async (file: string, options: JsonOption & { server: string }) => {
      const report = await withConfiguredStore(readEnvironment(), (db) =>
        importPlayersDb(db, { serverId: options.server, file }),
      );
      const { characters, changed, empty, backup, skipped } = report;
      const text = [
        `${file}: ${characters} characters read, figures of ${changed} players changed, ${empty} without a character.`,
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
        .choices(Object.keys(banFormats))
        .makeOptionMandatory(),
    )
    .argument('<file>')
    .action(async (file: string, options: JsonOption & { banlist: string; format: BanFormat }) => {
      const report = await withConfiguredStore(readEnvironment(), (db) =>
        importBanFile(db, { listId: options.banlist, file, format: options.format }),
      );
      const { entries, added, updated, lifted, unchanged, ipBans, unread } = report;
      const text =
        `${file}: ${entries} bans (${added} added, ${updated} updated, ${lifted} lifted, ${unchanged} unchanged), ` +
        `${ipBans} of addresses not taken, ${unread} lines that are no ban.`;
      printResult(output, options, report, text);
    });

  withJson(command.command('players'))
    .description('bring players and their figures over from elsewhere, as a JSON list')
    .requiredOption('--project <slug>')
    .argument('<file.json>')
    .action(async (file: string, options: JsonOption & { project: string }) => {
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

function addImportAdm(command: Command, output: Output): void {
  withJson(command.command('adm'))
    .description('count the admin logs of a server; .RPT and serverconsole.log beside them say who is who')
    .requiredOption('--server <id>', 'the server that wrote them')
    .argument('<file...>', 'files, or folders of them, in any order')
    .action(async (paths: string[], options: JsonOption & { server: string }) => {
      const files = paths.flatMap(filesOf);
      const stop = new AbortController();
      const interrupt = (): void => stop.abort();
      process.once('SIGINT', interrupt);
      const progress = showProgress(options, output);
      let report: AdminLogReport;
      try {
        report = await withConfiguredStore(readEnvironment(), (db) =>
          importAdminLogs(db, {
            serverId: options.server,
            files,
            onProgress: progress.update,
            signal: stop.signal,
          }),
        );
      } finally {
        progress.end();
        process.off('SIGINT', interrupt);
      }
      printResult(output, options, report, admText(report));
      if (stop.signal.aborted)
        throw new CommandFailure('Stopped; what was read so far is kept. The same command goes on.');
      if (report.failures.length > 0) {
        const list = report.failures.map(({ message }) => `  ${message}`).join('\n');
        throw new CommandFailure(
          `Nothing was taken from ${report.failures.length} of ${files.length} files:\n${list}`,
        );
      }
    });
}

function filesOf(path: string): string[] {
  // What cannot be looked at stays: the import says what is wrong with it.
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  const logs = readdirSync(path).filter(isServerLog);
  if (logs.length === 0) throw new CommandFailure(`${path}: no .ADM file in this folder`);
  return logs.map((name) => join(path, name));
}

function admText({ files, runs, lines, unreadLines, players }: AdminLogReport): string {
  const read = files.length === 1 ? '1 file' : `${files.length} files`;
  return (
    `${read}, ${lines.toLocaleString('en-US')} lines (${unreadLines.toLocaleString('en-US')} of no interest), ${players} players. ` +
    `Server runs: ${runs.new} new, ${runs.longer} longer than known, ${runs.known} known, ${runs.diverged} diverged.`
  );
}
