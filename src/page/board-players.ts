import { createHmac } from 'node:crypto';
import { identifierOf } from '../api/identifiers.ts';
import type { MetricCode } from '../api/metrics.ts';
import type { Leaderboard, LeaderboardRow, PlayerReference } from '../api/resources.ts';

/** A player who is on a public leaderboard. */
export interface BoardPlayer {
  reference: PlayerReference;
  ranks: readonly { metric: MetricCode; rank: number; value: number; unit: Leaderboard['unit'] }[];
}

/** 16 characters of base64url: 96 bits. */
const keyLength = 16;

/**
 * The key of a player's page, which does not give the player's identifier away. There are only about 2^31 SteamID64s, so a plain
 * hash could be reversed by trying all of them; the secret prevents that. Keys of one player in two projects have nothing in common.
 * Null: the player has neither an identifier nor a name.
 */
function playerKey(secret: Buffer, slug: string, reference: PlayerReference): string | null {
  const { name } = reference;
  const who = identifierOf(reference)?.value ?? (name === null ? null : `name ${name}`);
  if (who === null) return null;
  return createHmac('sha256', secret).update(`page ${slug}\n${who}`).digest('base64url').slice(0, keyLength);
}

/** The players of leaderboards by their keys, and the key of each row. */
export interface BoardPlayers {
  byKey: ReadonlyMap<string, BoardPlayer>;
  keyOf(row: LeaderboardRow): string | null;
}

/** Made once for each answer of the service. */
const known = new WeakMap<readonly Leaderboard[], BoardPlayers>();

/** Players without an identifier who share a name cannot be distinguished: they have no page. */
export function boardPlayers(secret: Buffer, slug: string, boards: readonly Leaderboard[]): BoardPlayers {
  const made = known.get(boards) ?? indexBoards(secret, slug, boards);
  known.set(boards, made);
  return made;
}

function indexBoards(secret: Buffer, slug: string, boards: readonly Leaderboard[]): BoardPlayers {
  const keys = new Map<LeaderboardRow, string>();
  const players = new Map<string, { reference: PlayerReference; ranks: BoardPlayer['ranks'][number][] }>();
  const ambiguous = new Set<string>();
  for (const { metric, unit, rows } of boards) {
    for (const row of rows) {
      const { player: reference, rank, value } = row;
      const key = playerKey(secret, slug, reference);
      if (key === null) continue;
      keys.set(row, key);
      const player = players.get(key) ?? { reference, ranks: [] };
      if (player.ranks.some((one) => one.metric === metric)) ambiguous.add(key);
      player.ranks.push({ metric, rank, value, unit });
      players.set(key, player);
    }
  }
  for (const key of ambiguous) players.delete(key);
  return {
    byKey: players,
    keyOf(row) {
      const key = keys.get(row);
      return key === undefined || ambiguous.has(key) ? null : key;
    },
  };
}
