import { type MetricOf, metrics } from '../../../../api/metrics.ts';
import type { Database } from '../../engine/database.ts';
import { valuesOf } from '../../engine/dialect.ts';
import { upsert } from '../../engine/table-rows.ts';

/** The names under which the metrics of characters are stored: those of DayZ. The reader of another game's files uses them too. */
const characterStats = {
  PLAYER_KILLS: 'players_killed',
  LONGEST_HIT: 'longest_survivor_hit',
  ZOMBIE_KILLS: 'infected_killed',
  ANIMAL_KILLS: 'animals_killed',
  PLAYTIME: 'playtime',
} as const satisfies Record<MetricOf<'players.db'>, string>;

export const characterMetrics = Object.entries(characterStats) as readonly [MetricOf<'players.db'>, string][];

/** For how long somebody has played, by `character.total`. */
export function playSecondsOf(total: string): number {
  return (JSON.parse(total) as CharacterStats)[characterStats.PLAYTIME] ?? 0;
}

/** Figures of a character by the names of `characterStats`. What else a reader gives only shows that it is another state. */
export type CharacterStats = Record<string, number>;

/** The figures of one player's character in one version of players.db. */
type CharacterSnapshot = readonly [playerId: number, stats: CharacterStats];

/** Whether the file is the one that the game writes, or one that somebody imports. */
export type CharacterOrigin = 'config' | 'import';

/**
 * Stores the figures of a server's characters. The game counts from 0 for each new character, so growth is added up: when a
 * figure fell, a new life began, and the new figures are growth in full. The same figures change nothing.
 *
 * A life that is longer than the time since the game's file was read last did not begin since then: an earlier state of the
 * file was put back. The life goes on, and what it had counts until its figures are larger.
 * @returns the players whose figures changed
 */
export async function saveCharacters(
  tx: Database,
  serverId: string,
  snapshots: readonly CharacterSnapshot[],
  { now, origin }: { now: number; origin: CharacterOrigin },
): Promise<number[]> {
  const ids = snapshots.map(([playerId]) => playerId);
  const stored = await tx
    .selectFrom('character')
    .selectAll()
    .where('server_id', '=', serverId)
    .where('player_id', 'in', valuesOf('integer', ids))
    .execute();
  const known = new Map(stored.map((row) => [row.player_id, row]));
  // Imported files are of any time, so a fall in them is always a new life.
  const readAt = origin === 'config' ? await noteReading(tx, serverId, now) : null;
  const longestNewMs = readAt === null ? Infinity : now - readAt + unsavedMs;
  const changed: number[] = [];
  const rows = snapshots.flatMap(([playerId, stats]) => {
    const row = known.get(playerId);
    // The largest figures of its present life, and those of all its lives.
    const last = JSON.parse(row?.last ?? '{}') as CharacterStats;
    const total = JSON.parse(row?.total ?? '{}') as CharacterStats;
    const hasFallen = Object.entries(stats).some(([stat, value]) => value < (last[stat] ?? 0));
    const isNew = hasFallen && playtimeOf(stats) * 1000 <= longestNewMs;
    const life = isNew ? { ...last, ...stats } : largest(last, stats);
    if (row !== undefined && sameStats(last, life)) return [];
    changed.push(playerId);
    return [
      {
        server_id: serverId,
        player_id: playerId,
        sampled_at: now,
        last: JSON.stringify(life),
        total: JSON.stringify(joinTotals(total, isNew ? stats : growth(last, life))),
      },
    ];
  });
  await upsert(tx, { table: 'character', key: ['player_id', 'server_id'] }, rows);
  return changed;
}

/** The game saves a character every few minutes, so a new life may be older than the reading before. */
const unsavedMs = 15 * 60_000;

/** Stores that the game's own file is read now. @returns when it was read last; null: never */
async function noteReading(tx: Database, serverId: string, now: number): Promise<number | null> {
  const known = await tx
    .selectFrom('players_db')
    .select('read_at')
    .where('server_id', '=', serverId)
    .executeTakeFirst();
  await upsert(tx, { table: 'players_db', key: ['server_id'] }, [{ server_id: serverId, read_at: now }]);
  return known?.read_at ?? null;
}

const playtimeOf = (stats: CharacterStats): number => stats[characterStats.PLAYTIME] ?? 0;

const largest = (last: CharacterStats, stats: CharacterStats): CharacterStats => ({
  ...last,
  ...Object.fromEntries(
    Object.entries(stats).map(([stat, value]) => [stat, Math.max(value, last[stat] ?? 0)]),
  ),
});

const growth = (last: CharacterStats, life: CharacterStats): CharacterStats =>
  Object.fromEntries(
    Object.entries(life).map(([stat, value]) => [stat, isGreatest(stat) ? value : value - (last[stat] ?? 0)]),
  );

const greatest: ReadonlySet<string> = new Set(
  characterMetrics.filter(([code]) => metrics[code].join === 'max').map(([, stat]) => stat),
);

/** The longest hit of several lives is their maximum; all other figures are summed. */
const isGreatest = (stat: string): boolean => greatest.has(stat);

/** Joins two totals of one character. */
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
