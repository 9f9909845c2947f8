import type { Operation, ServiceCaching } from '../../../api/operation.ts';
import { dataOperationIds, operations, type DataOperationId } from '../../../api/operations.ts';
import { findNextBanExpiry } from '../../store/repositories/bans/ban-expiry.ts';
import { readLeaderboardRevision } from '../../store/repositories/players/leaderboards.ts';
import type { Reader } from '../../store/engine/database.ts';

/** How an operation's answers may be cached, here and by callers. */
export interface CachingRule {
  /** The Cache-Control of a success. */
  control: string;
  /** Until when (epoch ms) an answer is valid if nothing is written; left out: forever. */
  validUntil?: (db: Reader, projectId: string, now: number) => Promise<number | null>;
  /**
   * A number that changes whenever an answer may; left out: every commit may change it. For answers that are
   * expensive compared with this number and unaffected by most commits.
   */
  revision?: (db: Reader, projectId: string) => Promise<number>;
}

/** When the service considers an answer stale. */
const staleness: Readonly<Record<ServiceCaching['staleAfter'], Omit<CachingRule, 'control'>>> = {
  commit: {},
  'leaderboard change': { revision: readLeaderboardRevision },
  'commit or ban expiry': { validUntil: findNextBanExpiry },
};

/** Null: the answer is never kept. Answers are `private`, since they depend on the token's project. */
function ruleOf(id: DataOperationId): CachingRule | null {
  const { service }: Operation['caching'] = operations[id].caching;
  if (service === null) return null;
  const { maxAgeSeconds, staleAfter } = service;
  const control = maxAgeSeconds === 0 ? 'private, no-cache' : `private, max-age=${maxAgeSeconds}`;
  return { control, ...staleness[staleAfter] };
}

export const cachingRules = Object.fromEntries(dataOperationIds.map((id) => [id, ruleOf(id)])) as Readonly<
  Record<DataOperationId, CachingRule | null>
>;
