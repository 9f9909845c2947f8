import type { DataOperationId } from '../../api/operations.ts';
import { findNextBanExpiry } from '../store/ban-expiry.ts';
import { readLeaderboardRevision } from '../store/leaderboards.ts';
import type { ReadDatabase } from '../store/database.ts';

/** How an operation's answers may be kept, here and by callers. */
export interface CachingRule {
  /** The Cache-Control of a success. */
  control: string;
  /** Until when (epoch ms) an answer stays true though nobody writes; left out: for good. */
  validUntil?: (db: ReadDatabase['db'], projectId: string, now: number) => Promise<number | null>;
  /**
   * A number that changes whenever an answer may; left out: with each commit. For answers that take much longer to make
   * than to be asked for this, and that most commits leave as they are.
   */
  revision?: (db: ReadDatabase['db'], projectId: string) => Promise<number>;
}

/**
 * One rule an operation. Answers are `private`, since they depend on the token's project. What a caller must see at
 * once (a ban that was lifted) is asked for anew each time, which costs a 304; the rest may be seconds old. Null: the
 * answer is never kept.
 */
export const cachingRules: { readonly [Id in DataOperationId]: CachingRule | null } = {
  getProject: { control: 'private, max-age=60' },
  listServers: { control: 'private, max-age=5' },
  getServer: { control: 'private, max-age=5' },
  listSchedules: { control: 'private, max-age=60' },
  listOnlinePlayers: null,
  listLeaderboards: { control: 'private, max-age=30', revision: readLeaderboardRevision },
  getPlayer: { control: 'private, max-age=30' },
  listBanlists: { control: 'private, no-cache', validUntil: findNextBanExpiry },
  listBans: { control: 'private, no-cache', validUntil: findNextBanExpiry },
};
