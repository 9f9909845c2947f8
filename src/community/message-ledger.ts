import type { MessageLedger } from '../commands/ports/message-ledger.ts';
import type { Database, Reader } from '../server/store/engine/database.ts';
import {
  deleteNamingMessage,
  readOutdatedMessages,
  saveNamingMessage,
} from '../server/store/repositories/rights/naming-messages.ts';

/** Messages that are read at once. */
const mostOutdated = 20;

/** The messages of the bot that name players, in the store. */
export function createMessageLedger(writer: Database, reader: Reader): MessageLedger {
  return {
    add: async (message) => ((await saveNamingMessage(writer, message)) ? 'outdated' : 'current'),
    outdated: async (before) => await readOutdatedMessages(reader, before, mostOutdated),
    remove: async (messageId) => await deleteNamingMessage(writer, messageId),
  };
}
