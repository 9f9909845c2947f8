import type { Identifier } from '../../../api/identifiers.ts';
import { type BanOrigin, banSource, cliSource, configPrefix } from '../../store/ban-sources.ts';
import {
  type BanChanges,
  findActiveBans,
  findBanSources,
  findBansOfSource,
  latestBanEnd,
  liftBans,
  projectOfBanList,
  liftSource,
  replaceSourceBans,
  saveBans,
} from '../../store/bans.ts';
import { type BanBehindLine, findBansBehindLines, findLinesOfBans } from '../../store/ban-writes.ts';
import type { Database } from '../../store/database.ts';
import { findPlayers, type PersonSeen, savePeople } from '../../store/players.ts';
import { refreshStatistics } from '../../store/statistics.ts';
import { type BanCategory, categoryOf } from './ban-category.ts';
import { readBanFile } from './ban-file.ts';
import type { BanEntry, BanFile, BanFormat } from './ban-formats.ts';

export interface BanFileReport extends BanChanges {
  listId: string;
  file: string;
  format: BanFormat;
  /** Bans that the file holds, each person once. */
  entries: number;
  /** Bans of addresses: they name no player and are not served. */
  ipBans: number;
  /** Lines that are no ban, the example lines of the game's own file among them. */
  unread: number;
}

/**
 * Makes a ban list agree with a game's ban file. Reading the same file again changes nothing; a line that left it
 * lifts its ban. The bans are ENFORCED: the game reads the same file.
 * @throws SourceError when the file cannot be read or is of another format; the list keeps the bans it had
 */
export async function importBanFile(
  db: Database,
  options: { listId: string; file: string; format: BanFormat; origin?: BanOrigin; now?: () => number },
): Promise<BanFileReport> {
  await projectOfBanList(db, options.listId);
  return await storeBanFile(db, { ...options, content: await readBanFile(options.file, options.format) });
}

/** The same with what was read of the file. */
export async function storeBanFile(
  db: Database,
  options: {
    listId: string;
    file: string;
    format: BanFormat;
    content: BanFile;
    origin?: BanOrigin;
    now?: () => number;
  },
): Promise<BanFileReport> {
  const { listId, file, format, origin = 'import', now = Date.now } = options;
  const { entries, ipBans, unread } = options.content;
  const projectId = await projectOfBanList(db, listId);
  const source = banSource(origin, format, file);
  const changes = await db.transaction().execute(async (tx) => {
    const written = await findBansBehindLines(tx, listId, source);
    const behind = new Map(written.map((ban) => [ban.key, ban]));
    const banOf = (entry: BanEntry) => ({
      playerName: entry.playerName,
      category: categoryOf(entry.reason),
      reason: entry.reason,
      startsAt: null,
      expiresAt: entry.expiresAt,
      ...behindLine(entry, behind),
      state: 'ENFORCED' as const,
    });
    return await replaceSourceBans(tx, { listId, source, now: now() }, entries, banOf, (changed) =>
      savePlayersOf(tx, projectId, changed),
    );
  });
  return { listId, file, format, entries: entries.length, ipBans, unread, ...changes };
}

/** Of a line that Outpost wrote more is known than the line can say: not every format has an end, none a category. */
function behindLine(entry: BanEntry, written: ReadonlyMap<string, BanBehindLine>) {
  const ban = written.get(entry.key);
  if (ban === undefined || ban.reason !== entry.reason || ban.expiresAt !== entry.expiresAt) return {};
  return { category: ban.category, startsAt: ban.startsAt, expiresAt: ban.banExpiresAt };
}

/** A file that the config no longer names for a list while bans of it are in force. */
export interface LeftBanFile {
  source: string;
  format: BanFormat;
  file: string;
}

/** The files whose bans are in force in a list though the config, which names `listed`, does not name them. */
export async function findLeftBanFiles(
  db: Database,
  listId: string,
  listed: readonly { file: string; format: BanFormat }[],
): Promise<LeftBanFile[]> {
  const kept = new Set(listed.map(({ file, format }) => banSource('config', format, file)));
  const sources = await findBanSources(db, listId, configPrefix);
  return sources.flatMap((source) => {
    if (kept.has(source)) return [];
    const [, format, ...path] = source.split(':');
    return [{ source, format: format as BanFormat, file: path.join(':') }];
  });
}

/** Lifts the bans of a file that the config no longer names. */
export async function liftLeftBanFile(
  db: Database,
  listId: string,
  { source, format, file }: LeftBanFile,
  now: () => number = Date.now,
): Promise<BanFileReport> {
  const changes = await db.transaction().execute(async (tx) => {
    return { added: 0, updated: 0, unchanged: 0, lifted: await liftSource(tx, listId, source, now()) };
  });
  return { listId, file, format, entries: 0, ipBans: 0, unread: 0, ...changes };
}

/** The players whom the entries ban, in their order; null where one bans a name. */
async function savePlayersOf(
  tx: Database,
  projectId: string,
  entries: readonly BanEntry[],
): Promise<(number | null)[]> {
  const unknownTime = { firstSeenAt: null, lastSeenAt: null };
  const people = entries.flatMap(({ identity, playerName }): PersonSeen[] => {
    if (identity === null) return [];
    return [{ identity, names: playerName === null ? [] : [[playerName, unknownTime]], ...unknownTime }];
  });
  const { ids, merged } = await savePeople(tx, projectId, people);
  await refreshStatistics(tx, merged);
  let next = 0;
  return entries.map(({ identity }) => (identity === null ? null : (ids[next++] as number)));
}

export interface NewBan {
  listId: string;
  player: Identifier;
  category: BanCategory;
  reason: string | null;
  /** Epoch milliseconds; NULL: permanent. */
  expiresAt: number | null;
  now?: () => number;
}

/**
 * Bans a player by hand; it is served as PENDING unless a game's file bans the player too. Banning the same player
 * again, by whichever identifier, replaces it. An end after the year 9999 is none.
 * @throws when there is no such list
 */
export async function addBan(db: Database, ban: NewBan): Promise<void> {
  const { listId, player, category, reason, expiresAt, now = Date.now } = ban;
  const projectId = await projectOfBanList(db, listId);
  await db.transaction().execute(async (tx) => {
    const playerId = await savePlayer(tx, projectId, player);
    const [same, ...doubles] = await findBansOfSource(tx, listId, cliSource, playerId);
    const row = {
      key: same?.key ?? `${player.kind}:${player.value}`,
      playerId,
      playerName: null,
      category,
      reason,
      startsAt: now(),
      expiresAt: expiresAt !== null && expiresAt > latestBanEnd ? null : expiresAt,
      state: 'PENDING' as const,
    };
    await saveBans(tx, listId, cliSource, [row], now());
    // Two players with a ban each may have turned out to be one.
    const standing = doubles.filter(({ liftedAt }) => liftedAt === null).map(({ id }) => id);
    await liftBans(tx, standing, now());
  });
}

export interface LiftReport {
  /** Bans that were lifted. */
  lifted: number;
  /** Files of the config, `format:path`, that still ban the player: only taking the line out of them lifts those. */
  stillIn: string[];
  /** The same whose line Outpost wrote: where it still may, it takes that out itself. */
  written: string[];
}

/** Lifts the bans of a player that were made by hand or imported from a file. @throws when there is no such list */
export async function liftBan(
  db: Database,
  options: { listId: string; player: Identifier; now?: () => number },
): Promise<LiftReport> {
  const { listId, player, now = Date.now } = options;
  const projectId = await projectOfBanList(db, listId);
  return await db.transaction().execute(async (tx) => {
    const players = await findPlayers(tx, projectId, { [player.kind]: player.value });
    const bans = await findActiveBans(tx, listId, players);
    const read = bans.filter(({ source }) => source.startsWith(configPrefix));
    const own = bans.filter((ban) => !read.includes(ban));
    const lines = await findLinesOfBans(
      tx,
      own.map(({ id }) => id),
    );
    const isOwnLine = (ban: (typeof bans)[number]) =>
      lines.some(({ source, key }) => source === ban.source && key === ban.key);
    const paths = (some: typeof bans) => some.map(({ source }) => source.slice(configPrefix.length));
    await liftBans(
      tx,
      own.map(({ id }) => id),
      now(),
    );
    return {
      lifted: own.length,
      stillIn: paths(read.filter((ban) => !isOwnLine(ban))),
      written: paths(read.filter(isOwnLine)),
    };
  });
}

async function savePlayer(tx: Database, projectId: string, { kind, value }: Identifier): Promise<number> {
  const person = { identity: { [kind]: value }, names: [], firstSeenAt: null, lastSeenAt: null };
  const { ids, merged } = await savePeople(tx, projectId, [person]);
  await refreshStatistics(tx, merged);
  return ids[0] as number;
}
