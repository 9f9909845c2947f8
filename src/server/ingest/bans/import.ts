import { type BanOrigin, banSource } from '../../store/repositories/bans/ban-sources.ts';
import { projectOfBanList } from '../../store/repositories/bans/bans.ts';
import {
  type BanChanges,
  type OnStored,
  replaceSourceBans,
} from '../../store/repositories/bans/source-bans.ts';
import type { Database } from '../../store/engine/database.ts';
import type { PersonIdentity } from '../../store/repositories/players/person-identity.ts';
import { saveBanned } from '../../store/repositories/players/players.ts';
import type { PersonSeen } from '../../store/repositories/players/sightings.ts';
import { refreshStatistics } from '../../store/repositories/players/statistics.ts';
import { type ForgottenList, readForgottenList } from '../../store/repositories/rights/forgotten-list.ts';
import { categoryOf } from './category.ts';
import type { BanEntry, BanFile, BanFormat } from 'dayz-files';
import { readBanFile } from './read-ban-file.ts';

export interface BanFileReport extends BanChanges {
  listId: string;
  file: string;
  format: BanFormat;
  /** Bans in the file, one per person. */
  entries: number;
  /** Those of them that have ended. */
  ended: number;
  /** Bans of IP addresses: they name no player and are not served. */
  ipBans: number;
  /** Lines without a ban, including the example lines of the game's own file. */
  unread: number;
}

interface BanFileImport {
  listId: string;
  file: string;
  format: BanFormat;
  origin?: BanOrigin;
  onProgress?: OnStored;
  now?: () => number;
}

/**
 * Makes a ban list agree with a game's ban file. Reading the same file again changes nothing; a removed line lifts
 * its ban. The bans are ENFORCED, because the game reads the same file.
 * @throws SourceError when the file cannot be read or is of another format; the list keeps its bans
 */
export async function importBanFile(db: Database, options: BanFileImport): Promise<BanFileReport> {
  await projectOfBanList(db, options.listId);
  return await storeBanFile(db, { ...options, content: await readBanFile(options.file, options.format) });
}

/** Imports a ban file whose content is parsed already. */
export async function storeBanFile(
  db: Database,
  options: BanFileImport & {
    /** The server on whose host the file is; left out: this machine. */
    filesOf?: string | undefined;
    content: BanFile;
  },
): Promise<BanFileReport> {
  const { listId, file, filesOf, format, origin = 'import', onProgress, now = Date.now } = options;
  const { entries, ipBans, unread } = options.content;
  const source = banSource(origin, format, file, filesOf);
  const at = now();
  const ended = entries.filter(({ expiresAt }) => expiresAt !== null && expiresAt <= at).length;
  const changes = await replaceSourceBans(
    db,
    { listId, source, now: at, onProgress },
    entries,
    async (tx, projectId) => {
      const forgotten = await readForgottenList(tx);
      const keptOf = (entry: BanEntry): BanEntry => withoutForgottenName(entry, forgotten);
      return {
        banOf(entry) {
          const { playerName, reason, expiresAt } = keptOf(entry);
          return {
            player_name: playerName,
            category: categoryOf(reason),
            reason,
            starts_at: null,
            expires_at: expiresAt,
            state: 'ENFORCED',
          };
        },
        findPlayers: async (changed) => await saveBannedPlayers(tx, projectId, changed.map(keptOf)),
      };
    },
  );
  return { listId, file, format, entries: entries.length, ended, ipBans, unread, ...changes };
}

/** The ban of a forgotten player keeps the identifier, but no name, and none in its reason. Others stay as they are. */
function withoutForgottenName(entry: BanEntry, forgotten: ForgottenList): BanEntry {
  const { identity, reason } = entry;
  if (forgotten.isEmpty || identity === null || !forgotten.hasPerson(identity)) return entry;
  return { ...entry, playerName: null, reason: reason && forgotten.withoutNames(reason) };
}

/** The players whom the entries ban, in their order; null where an entry bans a name. */
export async function saveBannedPlayers(
  tx: Database,
  projectId: string,
  entries: readonly { identity: PersonIdentity | null; playerName: string | null }[],
): Promise<(number | null)[]> {
  const unknownTime = { firstSeenAt: null, lastSeenAt: null };
  const people = entries.flatMap(({ identity, playerName }): PersonSeen[] => {
    if (identity === null) return [];
    return [{ identity, names: playerName === null ? [] : [[playerName, unknownTime]], ...unknownTime }];
  });
  const { ids, merged } = await saveBanned(tx, projectId, people);
  await refreshStatistics(tx, merged);
  // `ids` has one for each entry with an identity.
  let next = 0;
  return entries.map(({ identity }) => (identity === null ? null : (ids[next++] as number)));
}
