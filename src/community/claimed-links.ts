import { parseIdentifier } from '../api/identifiers.ts';
import type { PlayerLinks } from '../commands/interfaces/player-links.ts';
import type { SmallValues } from '../server/store/engine/small-values.ts';
import { noCommunity } from './no-community.ts';

/** Stores which player each member claims to be, for a bot on a service elsewhere, which can prove nothing. */
export function createClaimedLinks(keyv: ReturnType<SmallValues['of']>): PlayerLinks {
  const { proofs } = noCommunity.links;
  // So that a failure is not read as "not linked".
  keyv.throwOnErrors = true;
  const key = (userId: string): string => `player:${userId}`;
  return {
    async get(userId) {
      const value: unknown = await keyv.get(key(userId));
      const identifier = typeof value === 'string' ? parseIdentifier(value)?.value : undefined;
      if (identifier === undefined) return null;
      return { name: null, identifier, ref: null, isProven: false, isHidden: false };
    },
    areClaimsEnough: () => false,
    async claim(userId, identifier) {
      await keyv.set(key(userId), identifier);
      return 'linked';
    },
    async remove(userId) {
      return await keyv.delete(key(userId));
    },
    proofs,
  };
}
