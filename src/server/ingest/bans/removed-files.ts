import { banSource, configPrefix } from '../../store/repositories/bans/ban-sources.ts';
import { writeBanList } from '../../store/repositories/bans/bans.ts';
import { findBanSources, liftSource } from '../../store/repositories/bans/source-bans.ts';
import type { Database } from '../../store/engine/database.ts';
import type { BanFormat } from 'dayz-files';
import type { BanFileReport } from './import.ts';

/** A ban file of the config. */
export interface BanSource {
  file: string;
  format: BanFormat;
  /** The server on whose host the file is; absent: this machine. */
  filesOf?: string | undefined;
}

/** A ban list of the config. */
export interface BanListFiles {
  id: string;
  sources: readonly BanSource[];
}

/** A file that the config no longer names for a list, with bans in force. */
interface RemovedBanFile {
  source: string;
  format: BanFormat;
  file: string;
}

/** What `ban.source` has for the bans of a file that the config names. */
export const sourceOf = ({ format, file, filesOf }: BanSource): string =>
  banSource('config', format, file, filesOf);

/** Call it after the list's files were read, so that a player who moved from one file to another stays banned. */
export async function findRemovedBanFiles(
  db: Database,
  { id, sources }: BanListFiles,
): Promise<RemovedBanFile[]> {
  const kept = new Set(sources.map(sourceOf));
  const removed = (await findBanSources(db, id, configPrefix)).filter((source) => !kept.has(source));
  return removed.map((source) => {
    const [, format, ...path] = source.split(':');
    return { source, format: format as BanFormat, file: path.join(':') };
  });
}

export async function liftRemovedBanFile(
  db: Database,
  listId: string,
  { source, format, file }: RemovedBanFile,
  now: () => number = Date.now,
): Promise<BanFileReport> {
  const lifted = await writeBanList(db, listId, async (tx) => await liftSource(tx, listId, source, now()));
  const none = { entries: 0, ended: 0, ipBans: 0, unread: 0, added: 0, updated: 0, unchanged: 0 };
  return { listId, file, format, ...none, lifted };
}
