import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import { eachChunk } from './chunks.ts';

/** Figures of a character by the game's own names, `infected_killed` and the like. */
export type CharacterStats = Record<string, number>;

/** A reading of one player's character. */
export type CharacterReading = readonly [playerId: number, stats: CharacterStats];

/** Whether a reading is of the file that the game writes, or of one that somebody brought. */
export type CharacterOrigin = 'config' | 'import';

interface Character {
  last: CharacterStats;
  total: CharacterStats;
  sampledAt: number;
  earlier: readonly string[];
}

/**
 * Takes a reading of characters of a server. The game counts from 0 again for each new character, so what is kept is
 * the growth: when a figure fell, a new life began and the new figures are growth in full. Reading the same figures
 * again changes nothing.
 *
 * Figures fall, too, when a backup is read. Nothing in players.db tells its age, but whoever was away when the backup
 * was made stands in it exactly as read before, to the last bit of the seconds played. A reading that holds one such
 * past state is a backup: it counts for nobody. If the game itself goes on with it, growth counts from there.
 * @returns the players whose figures changed, and whether the reading was a backup
 */
export async function saveCharacters(
  tx: Database,
  serverId: string,
  readings: readonly CharacterReading[],
  { now, origin }: { now: number; origin: CharacterOrigin },
): Promise<{ changed: number[]; backup: boolean }> {
  const known = await readCharacters(tx, serverId, readings);
  const backup = readings.some(([playerId, stats]) => {
    const character = known.get(playerId);
    return character?.earlier.includes(digestOf(stats)) === true && !sameStats(character.last, stats);
  });
  if (backup && origin === 'import') return { changed: [], backup };
  const changed: number[] = [];
  const rows = readings.flatMap(([playerId, stats]) => {
    const character = known.get(playerId);
    if (character === undefined) {
      changed.push(playerId);
      return [[playerId, JSON.stringify(stats), JSON.stringify(stats), '[]']];
    }
    const { last, total, earlier } = character;
    if (sameStats(last, stats)) return [];
    if (!backup) changed.push(playerId);
    const isRecallable = backup || origin === 'import' || now - character.sampledAt >= awayMs;
    const past = isRecallable && hasPlayed(last) ? [...earlier, digestOf(last)].slice(-mostPast) : earlier;
    const grownTotal = backup ? total : grown(total, last, stats);
    return [
      [playerId, JSON.stringify({ ...last, ...stats }), JSON.stringify(grownTotal), JSON.stringify(past)],
    ];
  });
  await eachChunk(rows, async (json) => {
    await sql`
      INSERT INTO character (server_id, player_id, last, total, earlier, sampled_at)
      SELECT ${serverId}, value ->> 0, value ->> 1, value ->> 2, value ->> 3, ${now} FROM json_each(${json})
      WHERE true
      ON CONFLICT DO UPDATE SET last = excluded.last, total = excluded.total, earlier = excluded.earlier,
        sampled_at = excluded.sampled_at
    `.execute(tx);
  });
  return { changed, backup };
}

/** A state that stood so long was the end of a visit: a backup made since may hold it. */
const awayMs = 5 * 60_000;
/** Past states that are kept of each character: so many visits back a backup is known. */
const mostPast = 32;

/** A character of the first moment is like every other of its player, and tells nothing. */
const hasPlayed = (stats: CharacterStats): boolean => (stats['playtime'] ?? 0) >= 1;

/** Names a state by its figures. */
function digestOf(stats: CharacterStats): string {
  const text = JSON.stringify(Object.entries(stats).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

async function readCharacters(
  tx: Database,
  serverId: string,
  readings: readonly CharacterReading[],
): Promise<Map<number, Character>> {
  const known = new Map<number, Character>();
  await eachChunk(
    readings.map(([playerId]) => playerId),
    async (json) => {
      const rows = await tx
        .selectFrom('character')
        .select(['player_id', 'last', 'total', 'sampled_at', 'earlier'])
        .where('server_id', '=', serverId)
        .where(sql<boolean>`player_id IN (SELECT value FROM json_each(${json}))`)
        .execute();
      for (const row of rows) {
        known.set(row.player_id, {
          last: JSON.parse(row.last) as CharacterStats,
          total: JSON.parse(row.total) as CharacterStats,
          sampledAt: row.sampled_at,
          earlier: JSON.parse(row.earlier) as string[],
        });
      }
    },
  );
  return known;
}

function grown(total: CharacterStats, last: CharacterStats, stats: CharacterStats): CharacterStats {
  const reborn = Object.entries(stats).some(([stat, value]) => value < (last[stat] ?? 0));
  const growth = Object.fromEntries(
    Object.entries(stats).map(([stat, value]) => [
      stat,
      reborn || isGreatest(stat) ? value : value - (last[stat] ?? 0),
    ]),
  );
  return joinTotals(total, growth);
}

/** Of several lives the longest hit is the longest of theirs; everything else adds up. */
const isGreatest = (stat: string): boolean => stat === 'longest_survivor_hit';

/** What several totals come to together. */
export function joinTotals(a: CharacterStats, b: CharacterStats): CharacterStats {
  const joined = { ...a };
  for (const [stat, value] of Object.entries(b)) {
    const had = joined[stat] ?? 0;
    joined[stat] = isGreatest(stat) ? Math.max(had, value) : had + value;
  }
  return joined;
}

function sameStats(last: CharacterStats, stats: CharacterStats): boolean {
  return Object.entries(stats).every(([stat, value]) => last[stat] === value);
}
