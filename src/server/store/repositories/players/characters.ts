import { createHash } from 'node:crypto';
import { type MetricOf, metrics } from '../../../../api/metrics.ts';
import type { Database } from '../../engine/database.ts';
import { valuesOf } from '../../engine/dialect.ts';
import { readInChunks } from '../../engine/each-chunk.ts';
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

interface Character {
  last: CharacterStats;
  total: CharacterStats;
  sampledAt: number;
  earlier: readonly string[];
}

/**
 * Stores the figures of a server's characters. The game counts from 0 for each new character, so growth is added up:
 * when a figure fell, a new life began, and the new figures are growth in full. The same figures change nothing.
 *
 * Figures also fall when a backup is read, and after a wipe (`kindOfSnapshot`). `changeCounter` rises with each
 * change of the file and helps to distinguish these cases from play. A backup is not counted; if the game continues from
 * it, growth counts from there. Even after a wipe, a character whose figures have all grown is taken for the one before.
 * @returns the players whose figures changed, and the kind of the snapshot
 */
export async function saveCharacters(
  tx: Database,
  serverId: string,
  snapshots: readonly CharacterSnapshot[],
  { now, origin, changeCounter = null }: SnapshotOptions,
): Promise<{ changed: number[]; kind: SnapshotKind }> {
  const known = await readCharacters(tx, serverId, snapshots);
  const kind = kindOfSnapshot(snapshots, known, origin, await isOlder(tx, serverId, changeCounter));
  const isBackup = kind === 'backup';
  if (isBackup && origin === 'import') return { changed: [], kind };
  await saveChangeCounter(tx, serverId, changeCounter);
  const changed: number[] = [];
  const rows = snapshots.flatMap(([playerId, stats]) => {
    const character = known.get(playerId);
    const own = { server_id: serverId, player_id: playerId, sampled_at: now };
    if (character === undefined) {
      changed.push(playerId);
      return [{ ...own, last: JSON.stringify(stats), total: JSON.stringify(stats), earlier: '[]' }];
    }
    const { last, total, earlier } = character;
    if (sameStats(last, stats)) return [];
    if (!isBackup) changed.push(playerId);
    const isRecallable = isBackup || origin === 'import' || now - character.sampledAt >= awayMs;
    const past = isRecallable && hasPlayed(last) ? [...earlier, digestOf(last)].slice(-mostPast) : earlier;
    return [
      {
        ...own,
        last: JSON.stringify({ ...last, ...stats }),
        total: JSON.stringify(isBackup ? total : grown(total, last, stats)),
        earlier: JSON.stringify(past),
      },
    ];
  });
  await upsert(tx, { table: 'character', key: ['player_id', 'server_id'] }, rows);
  return { changed, kind };
}

interface SnapshotOptions {
  now: number;
  origin: CharacterOrigin;
  /** The change counter in the file's header; null: unknown. */
  changeCounter?: number | null;
}

/** `backup`: an earlier state of what was read before; `wipe`: another world, in which everybody started anew. */
type SnapshotKind = 'newer' | 'backup' | 'wipe';

/**
 * Determines the kind of a snapshot. A player who was away when a backup was made has exactly the figures read
 * before, down to the last bit of the seconds played, so a past state reveals a backup. A lower change counter means
 * that the file is older or another one. The characters then decide:
 * - more of them have progressed than fallen back: a newer state in a rewritten file
 * - at least one is unchanged since the last snapshot: a backup
 * - none is: a wipe, unless some have progressed in the game's own file. With too few characters this can be chance;
 *   then an imported file is a backup, and the game's own file a wipe.
 */
function kindOfSnapshot(
  snapshots: readonly CharacterSnapshot[],
  known: ReadonlyMap<number, Character>,
  origin: CharacterOrigin,
  isOlder: boolean,
): SnapshotKind {
  let unchanged = 0;
  let grew = 0;
  let fell = 0;
  for (const [playerId, stats] of snapshots) {
    const character = known.get(playerId);
    if (character === undefined || !hasPlayed(character.last)) continue;
    if (sameStats(character.last, stats)) unchanged += 1;
    else if (character.earlier.includes(digestOf(stats))) return 'backup';
    else if (playtimeOf(stats) >= playtimeOf(character.last)) grew += 1;
    else fell += 1;
  }
  const isUnknown = unchanged + grew + fell === 0;
  if (!isOlder || isUnknown || grew > fell) return 'newer';
  if (unchanged > 0) return 'backup';
  if (origin === 'config') return grew > 0 ? 'newer' : 'wipe';
  return fell + grew >= enoughCharacters ? 'wipe' : 'backup';
}

/** With this many characters, at least one would be unchanged if the file were a backup. */
const enoughCharacters = 5;

async function isOlder(tx: Database, serverId: string, changeCounter: number | null): Promise<boolean> {
  if (changeCounter === null) return false;
  const counted = await tx
    .selectFrom('players_db')
    .select('change_counter')
    .where('server_id', '=', serverId)
    .executeTakeFirst();
  return counted !== undefined && changeCounter < counted.change_counter;
}

async function saveChangeCounter(
  tx: Database,
  serverId: string,
  changeCounter: number | null,
): Promise<void> {
  if (changeCounter === null) {
    await tx.deleteFrom('players_db').where('server_id', '=', serverId).execute();
    return;
  }
  const row = { server_id: serverId, change_counter: changeCounter };
  await upsert(tx, { table: 'players_db', key: ['server_id'] }, [row]);
}

/** A state that lasted this long was the end of a visit; a backup made since then may contain it. */
const awayMs = 5 * 60_000;
/** How many past states of each character are kept: a backup is recognised that many visits back. */
const mostPast = 32;

/** A character in its first second is like every other of its player, and proves nothing. */
const hasPlayed = (stats: CharacterStats): boolean => playtimeOf(stats) >= 1;

const playtimeOf = (stats: CharacterStats): number => stats['playtime'] ?? 0;

/** Identifies a state by its figures. */
function digestOf(stats: CharacterStats): string {
  const text = JSON.stringify(Object.entries(stats).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}

async function readCharacters(
  tx: Database,
  serverId: string,
  snapshots: readonly CharacterSnapshot[],
): Promise<Map<number, Character>> {
  const all = tx.selectFrom('character').selectAll().where('server_id', '=', serverId);
  const rows = await readInChunks(
    snapshots.map(([playerId]) => playerId),
    async (chunk) => await all.where('player_id', 'in', valuesOf('integer', chunk)).execute(),
  );
  return new Map(
    rows.map((row) => [
      row.player_id,
      {
        last: JSON.parse(row.last) as CharacterStats,
        total: JSON.parse(row.total) as CharacterStats,
        sampledAt: row.sampled_at,
        earlier: JSON.parse(row.earlier) as string[],
      },
    ]),
  );
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
