import { configPrefix } from '../../store/repositories/bans/ban-sources.ts';
import { writeBanList } from '../../store/repositories/bans/bans.ts';
import { findBanSources, liftSource } from '../../store/repositories/bans/source-bans.ts';
import { StoreUnavailable } from '../../store/engine/error.ts';
import type { BanFormat } from 'dayz-files';
import type { ReaderContext, SourceReader } from '../follower/polled-source.ts';
import { type BanListSources, storedBanSource } from '../follower/sources.ts';

/**
 * Lifts the bans of files that the config no longer names for a list: those of one file at each poll. Before that, the list's
 * files are read, so that a player who moved from one file to another stays banned.
 */
export function liftRemovedFiles(
  { id, sources }: BanListSources,
  { isListRead, db, clock }: ReaderContext,
): SourceReader {
  const kept = new Set(sources.map(storedBanSource));
  let areLifted = false;
  return async () => {
    if (areLifted || !(await isListRead(id))) return null;
    try {
      const removed = (await findBanSources(db, id, configPrefix)).find((each) => !kept.has(each));
      areLifted = removed === undefined;
      if (removed === undefined) return null;
      // `config:format:path`, and the path may have colons.
      const [, format, ...path] = removed.split(':');
      const file = path.join(':');
      const lifted = await writeBanList(db, id, async (tx) => await liftSource(tx, id, removed, clock.now()));
      const none = { entries: 0, ended: 0, ipBans: 0, unread: 0, added: 0, updated: 0, unchanged: 0 };
      return { path: file, report: { listId: id, file, format: format as BanFormat, ...none, lifted } };
    } catch (error) {
      // The next poll tries again.
      if (error instanceof StoreUnavailable) return null;
      throw error;
    }
  };
}
