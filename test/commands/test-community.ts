import type { Keyv } from 'keyv';
import type { Client } from '../../src/api/client-types.ts';
import type { BotRecords } from '../../src/bot/bot-records.ts';
import type { Channels, Community, Pictures } from '../../src/commands/interfaces/community.ts';
import { createClaimedLinks, noCommunity, schedulesOf } from '../../src/community/no-community.ts';

/** Of a bot beside a store that knows nothing but `parts`. @param keyv of members who say who they are */
export function testCommunity(client: Client, parts: Partial<Community> = {}, keyv?: Keyv): Community {
  return {
    ...noCommunity,
    hasStore: true,
    hasLogs: () => true,
    schedules: schedulesOf(client),
    ...(keyv !== undefined && { links: createClaimedLinks(keyv) }),
    ...parts,
  };
}

/** Draws nothing. */
export const noPictures: Pictures = {
  players: async () => null,
  recap: async () => null,
  card: async () => null,
  heatMap: async () => null,
};

/** Of a bot that is not ready yet. */
export const noChannels: Channels = {
  permissionsIn: () => null,
  isMentionable: () => false,
  isForAll: () => false,
  channelName: () => null,
  placements: () => null,
};

/** Remembers nothing. */
export const noRecords: BotRecords = {
  ledger: { add: async () => 'current', outdated: async () => [], remove: async () => undefined },
  roleRecords: {
    of: async () => [],
    set: async () => undefined,
    remove: async () => undefined,
    forget: async () => undefined,
  },
  unlistedRevision: () => 0,
};
