import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Command } from 'commander';
import type { Environment } from '../config/environment.ts';
import { readEnvironment } from '../config/load.ts';
import { type IdentifiedTarget, rightsTargetExpectation } from '../server/ingest/players/rights-target.ts';
import { type Database, storeFile, type WriteDatabase } from '../server/store/engine/database.ts';
import { backupFolder } from '../server/store/operations/backup/backup-folder.ts';
import { storageProblem } from '../server/store/engine/storage-errors.ts';
import { exportPlayer } from '../server/store/repositories/rights/export-player.ts';
import {
  findTargets,
  forgetPlayer,
  type RightsTarget,
} from '../server/store/repositories/rights/forget-player.ts';
import { type NamedPlayer, searchPlayers } from '../server/store/repositories/rights/find-named.ts';
import { setHidden } from '../server/store/repositories/rights/hide-player.ts';
import { wipeDeleted } from '../server/store/repositories/rights/wipe.ts';
import { confirm } from './confirm.ts';
import { withStore } from './open-store.ts';
import { CommandFailure, count, printable, printResult, type Output } from './output.ts';
import { limits } from './limits.ts';

interface TargetOptions {
  name?: string;
  yes?: boolean;
}

/** A command about one player, named by an identifier or by `--name`. */
const onPlayer =
  (work: (output: Output, target: RightsTarget, options: TargetOptions, self: Command) => Promise<void>) =>
  async (
    output: Output,
    identity: IdentifiedTarget | undefined,
    options: TargetOptions,
    self: Command,
  ): Promise<void> => {
    const { name } = options;
    if (identity !== undefined && name === undefined) return await work(output, identity, options, self);
    if (identity === undefined && name !== undefined && name.trim() !== '')
      return await work(output, { name }, options, self);
    self.error(`error: expected either an identifier or --name: ${rightsTargetExpectation}`);
  };

export async function find(output: Output, name: string): Promise<void> {
  const all = await withStore((db) => searchPlayers(db, name, limits.foundPlayers + 1));
  const found = all.slice(0, limits.foundPlayers);
  const more =
    all.length === found.length ? [] : [`Only ${limits.foundPlayers} are shown: type more of the name.`];
  const text =
    [...found.map(foundText).map(printable), ...more].join('\n') || `No player has ${name} in a name.`;
  printResult(output, { players: found }, text);
}

function foundText({ project, isHidden, names, ...ids }: NamedPlayer): string {
  const id = ids.steamId64 ?? ids.battleyeGuid ?? ids.cftoolsId ?? ids.dayzId ?? 'no identifier';
  const [latest] = names;
  const seen = latest?.lastSeenAt == null ? '' : `, last seen ${latest.lastSeenAt}`;
  return `${id}  ${names.map((one) => one.name).join(', ')}  (${project}${isHidden ? ', hidden' : ''}${seen})`;
}

export const hideOrShow = onPlayer(async (output, target, _, self) => {
  const hides = self.name() === 'hide';
  const players = await withStore((db) => setHidden(db, target, hides));
  if (players === 0) throw unknownPlayer(hides ? 'is stored' : 'is hidden');
  const done = hides ? 'Hidden' : 'Shown again';
  printResult(output, { players }, `${done}: ${count(players, 'player')}.`);
});

export const forget = onPlayer(async (output, target, options) => {
  const environment = readEnvironment();
  const result = await withStore(async (db, store) => {
    if (options.yes !== true) await confirmForget(db, target);
    const forgotten = await forgetPlayer(db, target);
    return { ...forgotten, wiped: await wipe(environment, store, output) };
  });
  const backups = backupsIn(environment.dataFolder);
  const copied = copiedStore(environment);
  const lines = [
    result.players === 0
      ? 'Nothing was stored of that player, and nothing will be.'
      : `Deleted the data of ${count(result.players, 'player')}. They will not be stored again.`,
  ];
  if (result.banned > 0)
    lines.push(`  ${count(result.banned, 'player')} stay banned: bans keep the identifiers.`);
  lines.push(
    "  Reasons of other players' bans are not changed: if one names the player, edit it where that ban was made.",
  );
  if (backups.length > 0)
    lines.push(
      '  These backups were made before and still contain the data; a restore deletes them again. Delete the',
      '  backups when you no longer need them:',
      ...backups.map((file) => `    ${file}`),
    );
  if (copied !== null)
    lines.push(
      '  This database is from before "outpost store copy" and still contains the data. Delete it when you no longer',
      `  need it: ${copied}`,
    );
  printResult(output, { ...result, backups, copied }, lines.join('\n'));
});

export const exportData = onPlayer(async (output, target) => {
  const players = await withStore(async (db) => exportPlayer(db, target));
  if (players.length === 0) throw unknownPlayer('is stored');
  output.out(JSON.stringify({ players }, null, 2));
});

function unknownPlayer(what: string): CommandFailure {
  return new CommandFailure(
    `no player with that identifier or name ${what}. Nothing was changed. "outpost player find" shows the identifiers of those with a name.`,
  );
}

async function confirmForget(db: Database, target: RightsTarget): Promise<void> {
  const stored = (await findTargets(db, target)).length;
  const whom =
    'name' in target
      ? `everybody who goes or went by that name: ${count(stored, 'player')}`
      : stored === 0
        ? 'that player, of whom nothing is stored yet'
        : 'that player in all projects';
  await confirm(`Forget ${whom}? Their data are deleted. This cannot be undone.`, 'Nothing was deleted.');
}

/** Removes deleted data from the file; if that fails, the data are deleted all the same. */
async function wipe({ dataFolder }: Environment, store: WriteDatabase, output: Output): Promise<boolean> {
  let reason = 'the store is busy';
  try {
    if (await wipeDeleted(store)) return true;
  } catch (error) {
    reason = storageProblem(dataFolder, error)?.message ?? (error as Error).message;
  }
  output.err(
    `The data are deleted, but unused parts of the file may still contain them: ${reason.replace(/\.$/, '')}. Run this again.`,
  );
  return false;
}

/** What a store on PostgreSQL was copied from; null: it is not there any more. */
function copiedStore({ dataFolder, storeUrl }: Environment): string | null {
  const file = storeFile(dataFolder);
  return storeUrl !== undefined && existsSync(file) ? file : null;
}

/** Backups, and the data from before a restore. */
const backupsIn = (dataFolder: string): string[] =>
  [
    ...pathsIn(backupFolder(dataFolder)),
    ...pathsIn(dataFolder).filter((path) => basename(path).startsWith('before-restore-')),
  ].toSorted();

function pathsIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    // The player is forgotten by then, which has to be said all the same.
    return [];
  }
}
