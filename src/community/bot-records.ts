import type { BotRecords } from '../bot/bot-records.ts';
import type { Database, Reader } from '../server/store/engine/database.ts';
import {
  deleteStoredRoles,
  deleteStoredRolesOf,
  readStoredRoles,
  saveStoredRoles,
} from '../server/store/repositories/member-roles/records.ts';
import {
  deleteNamingMessage,
  readOutdatedMessages,
  saveNamingMessage,
} from '../server/store/repositories/rights/naming-messages.ts';

/** The most messages that the bot gets at once to delete. */
const mostOutdated = 20;

/** The bot's records in the store: a ledger of its messages that name players, and the roles that it gave. */
export function createBotRecords(
  writer: Database,
  reader: Reader,
  unlistedRevision: () => number,
): BotRecords {
  return {
    unlistedRevision,
    ledger: {
      add: async (message) => ((await saveNamingMessage(writer, message)) ? 'outdated' : 'current'),
      outdated: async (before) => await readOutdatedMessages(reader, before, mostOutdated),
      remove: async (messageId) => await deleteNamingMessage(writer, messageId),
    },
    roleRecords: {
      of: async (guildId) => await readStoredRoles(writer, guildId),
      set: async (guildId, records) => await saveStoredRoles(writer, guildId, records),
      remove: async (guildId, records) => await deleteStoredRoles(writer, guildId, records),
      forget: async (guildId) => await deleteStoredRolesOf(writer, guildId),
    },
  };
}
