import { cliSource, configPrefix } from '../../store/repositories/bans/ban-sources.ts';
import {
  findActiveBans,
  latestBanEnd,
  liftBans,
  saveBans,
  writeBanList,
} from '../../store/repositories/bans/bans.ts';
import type { Database } from '../../store/engine/database.ts';
import {
  completed,
  findPersons,
  type PersonIdentity,
} from '../../store/repositories/players/person-identity.ts';
import type { BanCategory } from './category.ts';
import { saveBannedPlayers } from './import.ts';

/** One identifier of a player. On consoles, the game's own is the only one. */
export interface BannedId {
  kind: keyof PersonIdentity;
  value: string;
}

interface NewBan {
  listId: string;
  player: BannedId;
  category: BanCategory;
  reason: string | null;
  /** Epoch milliseconds; null: permanent. */
  expiresAt: number | null;
  now?: () => number;
}

/**
 * Bans a player by hand. The ban is served as PENDING unless a game's file bans the player too. Banning the same
 * player again, by whichever identifier, replaces it. A ban that ends after the year 9999 is permanent.
 * @throws when there is no such list
 */
export async function addBan(db: Database, ban: NewBan): Promise<void> {
  const { listId, player, category, reason, expiresAt, now = Date.now } = ban;
  await writeBanList(db, listId, async (tx, projectId) => {
    const identity = { [player.kind]: player.value };
    const ids = await saveBannedPlayers(tx, projectId, [{ identity, playerName: null }]);
    const playerId = ids[0] as number;
    const bans = await findActiveBans(tx, listId, [playerId]);
    // More than one only if players with a ban each were merged.
    const [earlier, ...doubles] = bans.filter(({ source }) => source === cliSource);
    const row = {
      source_key: earlier?.source_key ?? `${player.kind}:${player.value}`,
      player_id: playerId,
      player_name: null,
      category,
      reason,
      starts_at: now(),
      expires_at: expiresAt !== null && expiresAt > latestBanEnd ? null : expiresAt,
      state: 'PENDING' as const,
    };
    await saveBans(tx, listId, cliSource, [row], now());
    const doubleIds = doubles.map(({ id }) => id);
    await liftBans(tx, doubleIds, now());
  });
}

interface LiftReport {
  lifted: number;
  /** Files of the config, `format:path`, that still ban the player: only removing the line there lifts these bans. */
  stillIn: string[];
}

/** Lifts the bans of a player that were made by hand or imported from a file. @throws when there is no such list */
export async function liftBan(
  db: Database,
  options: { listId: string; player: BannedId; now?: () => number },
): Promise<LiftReport> {
  const { listId, player, now = Date.now } = options;
  return await writeBanList(db, listId, async (tx, projectId) => {
    const persons = await findPersons(tx, [completed({ [player.kind]: player.value })], projectId);
    const players = persons.map(({ id }) => id);
    const bans = await findActiveBans(tx, listId, players);
    const ofConfig = bans.filter(({ source }) => source.startsWith(configPrefix));
    const others = bans.filter((ban) => !ofConfig.includes(ban)).map(({ id }) => id);
    await liftBans(tx, others, now());
    return {
      lifted: others.length,
      stillIn: ofConfig.map(({ source }) => source.slice(configPrefix.length)),
    };
  });
}
