import { configPrefix } from '../../store/repositories/bans/ban-sources.ts';
import { writeBanList } from '../../store/repositories/bans/bans.ts';
import { findBanSources, liftSource } from '../../store/repositories/bans/source-bans.ts';
import { LeaseLost, StoreUnavailable } from '../../store/engine/error.ts';
import type { BanFormat } from 'dayz-files';
import type { ReaderContext, SourceOutcome, SourceReader } from '../follower/polled-source.ts';
import { type BanListFiles, sourceOf } from '../follower/sources.ts';

/**
 * Lifts the bans of files that the config no longer names for a list. Before that, the list's files are read, so that a player
 * who moved from one file to another stays banned.
 */
export function liftRemovedFiles(
  { id, sources }: BanListFiles,
  { attempt, isListRead, db, clock }: ReaderContext,
): SourceReader {
  const kept = new Set(sources.map(sourceOf));
  const lift = async (source: string, format: string, file: string) => {
    const lifted = await writeBanList(db, id, async (tx) => await liftSource(tx, id, source, clock.now()));
    const none = { entries: 0, ended: 0, ipBans: 0, unread: 0, added: 0, updated: 0, unchanged: 0 };
    return { report: { listId: id, file, format: format as BanFormat, ...none, lifted } };
  };
  let areLifted = false;
  return async () => {
    if (areLifted || !(await isListRead(id))) return [];
    try {
      const removed = (await findBanSources(db, id, configPrefix)).filter((source) => !kept.has(source));
      const outcomes: SourceOutcome[] = [];
      for (const source of removed) {
        const [, format = '', ...path] = source.split(':');
        const file = path.join(':');
        outcomes.push(...(await attempt(() => lift(source, format, file), { path: file })));
      }
      areLifted = removed.length === 0;
      return outcomes;
    } catch (error) {
      // The next poll tries again.
      if (error instanceof StoreUnavailable || error instanceof LeaseLost) return [];
      throw error;
    }
  };
}
