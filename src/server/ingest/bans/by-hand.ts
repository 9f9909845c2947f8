import type { Identifier } from '../../../api/identifiers.ts';
import { cliSource, configPrefix } from '../../store/ban-sources.ts';
import { findLinesOfBans } from '../../store/ban-writes.ts';
import {
  findActiveBans,
  findBansOfSource,
  latestBanEnd,
  liftBans,
  projectOfBanList,
  saveBans,
} from '../../store/bans.ts';
import type { Database } from '../../store/database.ts';
import { findPlayers, savePeople } from '../../store/players.ts';
import { refreshStatistics } from '../../store/statistics.ts';
import type { BanCategory } from './category.ts';

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
    const active = doubles.filter(({ liftedAt }) => liftedAt === null).map(({ id }) => id);
    await liftBans(tx, active, now());
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
