import { basename } from 'node:path';
import type { Config } from '../../config/schema.ts';
import type { BanFormat } from 'dayz-files';
import { importBanFile } from '../../server/ingest/bans/import.ts';
import { storedBanSource } from '../../server/ingest/follower/sources.ts';
import { importPlayersDb, type PlayersDbStep } from '../../server/ingest/players/import-players-db.ts';
import { importPlayersFile } from '../../server/ingest/players/import-players-json.ts';
import { banSource } from '../../server/store/repositories/bans/ban-sources.ts';
import { withConfiguredStore } from '../open-store.ts';
import { count, grouped, printResult, type Output } from '../output.ts';
import { percentOf, showProgress } from '../progress.ts';

/** Whether a list of the config follows this file. */
function isSourceOf({ projects }: Config, listId: string, file: string, format: BanFormat): boolean {
  const lists = projects.flatMap(({ banlists }) => banlists);
  const sources = lists.find(({ id }) => id === listId)?.sources ?? [];
  return sources.some((source) => storedBanSource(source) === banSource('config', format, file));
}

const stepText = ({ step, players }: PlayersDbStep): string =>
  ({
    reading: 'reading the characters',
    storing: `storing ${count(players, 'character')}`,
    computing: `computing the figures of ${count(players, 'player')}`,
  })[step];

const storedText =
  (row: string) =>
  ({ done, total }: { done: number; total: number }): string =>
    `${percentOf(done, total)} of ${count(total, row)} stored`;

export async function importCharacters(
  output: Output,
  file: string,
  options: { server: string },
): Promise<void> {
  const { update: onStep, end } = showProgress(output, stepText);
  const report = await withConfiguredStore((db) =>
    importPlayersDb(db, { serverId: options.server, file, onStep }),
  ).finally(end);
  const { characters, changed, empty, skipped } = report;
  const text = [
    `${file}: ${count(characters, 'character')} read, figures of ${count(changed, 'player')} changed, ${empty} without a character.`,
    ...skipped.map(({ row, reason }) => `  row ${row} skipped: ${reason}`),
  ];
  printResult(output, report, text.join('\n'));
}

export async function importBans(
  output: Output,
  file: string,
  options: { banlist: string; format: BanFormat },
): Promise<void> {
  const { banlist: listId, format } = options;
  const { update: onProgress, end } = showProgress(output, storedText('ban'));
  const { report, followed } = await withConfiguredStore(async (db, config) => {
    const isFollowed = isSourceOf(config, listId, file, format);
    // The import uses the source of the followed file, so that changes the running service still holds back apply
    // at once.
    const origin = isFollowed ? 'config' : 'import';
    const report = await importBanFile(db, { listId, file, format, origin, onProgress });
    return { report, followed: isFollowed };
  }).finally(end);
  const { entries, ended, added, updated, lifted, unchanged, ipBans, unread } = report;
  const bans =
    ended === 0
      ? count(entries, 'ban')
      : `${count(entries - ended, 'ban')} in force, ${grouped(ended)} ended`;
  const text =
    `${file}: ${bans} (${added} added, ${updated} updated, ${lifted} lifted, ${unchanged} unchanged), ` +
    `${count(ipBans, 'ban')} of IP addresses skipped, ${count(unread, 'unread line')}.`;
  const hint =
    `\n  The lifted bans came from another ${basename(file)} or an earlier version of this file: ` +
    'files with the same name count as one, so give the files of several servers different names.';
  printResult(output, report, lifted === 0 || followed ? text : text + hint);
}

export async function importPlayers(
  output: Output,
  file: string,
  options: { project: string },
): Promise<void> {
  const { update: onProgress, end } = showProgress(output, storedText('player'));
  const report = await withConfiguredStore((db) =>
    importPlayersFile(db, { project: options.project, file, onProgress }),
  ).finally(end);
  printResult(
    output,
    report,
    `${file}: ${count(report.players, 'player')}, ${report.withStats} with figures.`,
  );
}
