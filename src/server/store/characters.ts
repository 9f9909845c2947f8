import { sql } from 'kysely';
import type { Database } from './database.ts';
import { eachChunk } from './chunks.ts';

/** Figures of a character by the game's own names, `infected_killed` and the like. */
export type CharacterStats = Record<string, number>;

/**
 * Takes a reading of characters of a server. The game counts from 0 again for each new character, so what is kept is
 * the growth: when a figure fell, a new life began and the new figures are growth in full.
 * Reading the same figures again changes nothing.
 * @returns the players whose figures changed
 */
export async function saveCharacters(
  tx: Database,
  serverId: string,
  readings: readonly (readonly [playerId: number, stats: CharacterStats])[],
  now: number,
): Promise<number[]> {
  const changed: number[] = [];
  await eachChunk(readings, async (_, chunk) => {
    const ids = JSON.stringify(chunk.map(([playerId]) => playerId));
    const known = await tx
      .selectFrom('character')
      .select(['player_id', 'last', 'total'])
      .where('server_id', '=', serverId)
      .where(sql<boolean>`player_id IN (SELECT value FROM json_each(${ids}))`)
      .execute();
    const byPlayer = new Map(known.map((row) => [row.player_id, row]));
    const rows = chunk.flatMap(([playerId, stats]) => {
      const row = byPlayer.get(playerId);
      const last = row === undefined ? {} : (JSON.parse(row.last) as CharacterStats);
      if (row !== undefined && sameStats(last, stats)) return [];
      changed.push(playerId);
      const total = grown(row === undefined ? {} : (JSON.parse(row.total) as CharacterStats), last, stats);
      return [[playerId, JSON.stringify({ ...last, ...stats }), JSON.stringify(total)]];
    });
    await sql`
      INSERT INTO character (server_id, player_id, last, total, sampled_at)
      SELECT ${serverId}, value ->> 0, value ->> 1, value ->> 2, ${now} FROM json_each(${JSON.stringify(rows)})
      WHERE true
      ON CONFLICT DO UPDATE SET last = excluded.last, total = excluded.total, sampled_at = excluded.sampled_at
    `.execute(tx);
  });
  return changed;
}

function grown(total: CharacterStats, last: CharacterStats, stats: CharacterStats): CharacterStats {
  const reborn = Object.entries(stats).some(([stat, value]) => value < (last[stat] ?? 0));
  const result = { ...total };
  for (const [stat, value] of Object.entries(stats)) {
    result[stat] = (result[stat] ?? 0) + (reborn ? value : value - (last[stat] ?? 0));
  }
  return result;
}

function sameStats(last: CharacterStats, stats: CharacterStats): boolean {
  return Object.entries(stats).every(([stat, value]) => last[stat] === value);
}
