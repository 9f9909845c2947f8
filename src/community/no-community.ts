import type { Client } from '../api/client-types.ts';
import { parseIdentifier } from '../api/identifiers.ts';
import type { Community } from '../commands/interfaces/community.ts';
import type { PlayerLinks } from '../commands/interfaces/player-links.ts';
import { within } from '../process/time-limit.ts';
import type { SmallValues } from '../server/store/engine/small-values.ts';

/** What a bot on a service elsewhere knows beyond the contract of `/v1`: nothing, so all answers are empty. */
export const noCommunity: Community = {
  hasStore: false,
  pageUrl: () => null,
  live: () => null,
  lastAnswerAt: async () => null,
  joinUrl: () => null,
  joinAddress: () => null,
  schedules: async () => new Map(),
  hasLogs: () => false,
  loggedPlayers: async () => new Map(),
  unreadBanlists: async () => new Set(),
  players: { named: async () => [], get: async () => null, details: async () => null },
  boards: {
    offered: async () => ({ periods: [], weapons: [] }),
    read: async () => ({ rows: [], since: null, previous: [] }),
    changes: async () => new Map(),
  },
  deaths: { latest: async () => 0, after: async (_, id) => ({ deaths: [], through: id, isLast: true }) },
  heatMap: async () => null,
  weekBefore: async () => null,
  links: {
    get: async () => null,
    areClaimsEnough: () => false,
    claim: async () => 'unknown',
    remove: async () => false,
    proofs: {
      isOffered: () => false,
      state: async () => null,
      start: async () => ({ refused: 'busy', until: 0 }),
      end: async () => undefined,
      confirm: async () => null,
      setHidden: async () => false,
    },
  },
  rights: {
    find: async () => null,
    hide: async () => 0,
    show: async () => 0,
    mayForget: () => false,
    forget: async () => 0,
    hidden: async () => [],
  },
  watch: {
    most: 0,
    list: async () => [],
    find: async () => null,
    add: async () => 'full',
    remove: async () => null,
  },
  arrivals: {
    latest: async () => 0,
    after: async (_, id) => ({ arrivals: [], through: id, isLast: true }),
    get: async () => null,
  },
  roleMembers: async () => new Map(),
};

const schedulesWaitMs = 1_500;

/** Reads schedules by the client. Those that it neither has cached nor gets within the time limit are left out. */
export function schedulesOf(client: Client): Community['schedules'] {
  return async (serverIds) => {
    const read = async (serverId: string) => {
      const asked = client.listSchedules({ serverId }).catch(() => null);
      const answer = await within(asked, schedulesWaitMs);
      return answer === 'late' || answer === null ? [] : ([[serverId, answer.data.schedules]] as const);
    };
    return new Map((await Promise.all(serverIds.map(read))).flat());
  };
}

/** Stores which player each member claims to be, for a bot on a service elsewhere, which can prove nothing. */
export function createClaimedLinks(keyv: ReturnType<SmallValues['of']>): PlayerLinks {
  // A read that fails must throw: else it would mean that the member is not linked.
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
    proofs: noCommunity.links.proofs,
  };
}
