import type { MessageLedger, NamingMessage } from '../../../src/bot/bot-records.ts';

/** A ledger in memory, in which a test hides players. */
export interface TestLedger extends MessageLedger {
  messages: NamingMessage[];
  /** Hides or forgets a player. */
  hide(playerId: number): void;
  revision: () => number;
}

export function createLedger(): TestLedger {
  const hidden = new Set<number>();
  let messages: NamingMessage[] = [];
  const isOutdated = ({ players, forModerators }: NamingMessage): boolean =>
    !forModerators && players.some((id) => hidden.has(id));
  return {
    get messages() {
      return messages;
    },
    hide: (playerId) => void hidden.add(playerId),
    revision: () => hidden.size,
    async add(message) {
      messages.push(message);
      return isOutdated(message) ? 'outdated' : 'current';
    },
    // Twenty at once, as from the store.
    outdated: async (before) =>
      messages
        .filter((message) => isOutdated(message) && (before === null || message.messageId < before))
        .toSorted((one, other) => (one.messageId > other.messageId ? -1 : 1))
        .slice(0, 20),
    async remove(messageId) {
      messages = messages.filter((message) => message.messageId !== messageId);
    },
  };
}
