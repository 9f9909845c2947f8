import type { MessageLedger } from '../commands/ports/message-ledger.ts';
import type { HeldLease } from '../process/leases.ts';
import type { Reader, WriteDatabase } from '../server/store/engine/database.ts';
import {
  deleteNamingMessage,
  readOutdatedMessages,
  saveNamingMessage,
} from '../server/store/repositories/rights/naming-messages.ts';

/** Messages that are read at once. */
const mostOutdated = 20;

/** @param lease writes fail with `LeaseLost` once another process has taken it */
export function createMessageLedger(
  { db, shared }: Pick<WriteDatabase, 'db' | 'shared'>,
  reader: Reader,
  lease: HeldLease,
): MessageLedger {
  const writer = shared?.fenced([lease]) ?? db;
  return {
    add: async (message) => ((await saveNamingMessage(writer, message)) ? 'outdated' : 'current'),
    outdated: async (before) => await readOutdatedMessages(reader, before, mostOutdated),
    remove: async (messageId) => await deleteNamingMessage(writer, messageId),
  };
}
