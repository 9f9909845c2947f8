import { type RawBuilder, sql } from 'kysely';
import { battleyeGuidOf, type Identifier } from '../../../../api/identifiers.ts';
import { metricCodes, metrics } from '../../../../api/metrics.ts';
import type { Alias, Player, PlayerReference, PlayerStats } from '../../../../api/resources.ts';
import type { Reader } from '../../engine/database.ts';
import { smallAscii, withoutCase } from '../../engine/dialect.ts';
import { groupsOf } from '../../engine/each-chunk.ts';
import { visibility } from '../../engine/schema/rights-tables.ts';
import { type MetricColumn, metricColumns } from '../../engine/schema/metric-columns.ts';
import { completed, identityColumns } from './person-identity.ts';

export const referenceColumns = [
  'player.steam_id64 as steamId64',
  'player.battleye_guid as battleyeGuid',
  'player.cftools_id as cftoolsId',
  'player.name',
] as const;

/** @param row with these columns, and perhaps others */
export function toReference({ steamId64, battleyeGuid, cftoolsId, name }: PlayerReference): PlayerReference {
  const derived = steamId64 === null ? null : battleyeGuidOf(steamId64);
  return { steamId64, battleyeGuid: battleyeGuid ?? derived, cftoolsId, name };
}

/** The ids of hidden and forgotten players, who are few and found by their own index. */
export const unlistedOf = (projectId: string): RawBuilder<unknown> =>
  sql`(SELECT id FROM player WHERE project_id = ${projectId} AND hidden <> ${sql.lit(visibility.shown)})`;

const moment = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** Players take new names as often as they like. */
const mostAliases = 100;

/** The latest names of players by player id: the latest first, and of those seen last at the same moment the current one. */
export async function readAliases(db: Reader, playerIds: readonly number[]): Promise<Map<number, Alias[]>> {
  if (playerIds.length === 0) return new Map();
  const latestFirst = sql`max(alias.last_seen_at) DESC NULLS LAST, alias.name = player.name DESC, alias.name`;
  const named = db
    .selectFrom('player_alias as alias')
    .innerJoin('player', 'player.id', 'alias.player_id')
    .select(({ fn }) => [
      'alias.player_id',
      'alias.name',
      fn.min<number | null>('alias.first_seen_at').as('first_seen_at'),
      fn.max<number | null>('alias.last_seen_at').as('last_seen_at'),
      sql<number>`row_number() OVER (PARTITION BY alias.player_id ORDER BY ${latestFirst})`.as('place'),
    ])
    .where('alias.player_id', 'in', playerIds)
    .where('alias.name', '<>', '')
    .groupBy(['alias.player_id', 'alias.name', 'player.name']);
  const rows = await db
    .selectFrom(named.as('named'))
    .select(['player_id', 'name', 'first_seen_at', 'last_seen_at'])
    .where('place', '<=', mostAliases)
    .orderBy('place')
    .execute();
  const ofPlayers = groupsOf(rows, (row) => row.player_id);
  return new Map(
    Array.from(ofPlayers, ([id, aliases]) => [
      id,
      aliases.map(({ name, first_seen_at, last_seen_at }) => {
        return { name, firstSeenAt: moment(first_seen_at), lastSeenAt: moment(last_seen_at) };
      }),
    ]),
  );
}

/**
 * Finds a player of the project by one identifier. A SteamID64 also finds a player stored only under an id derived
 * from it (the BattlEye GUID, the DayZ id); the result then contains the SteamID64, since the match proves it.
 * @param identifier may also be the id in the game's own logs
 */
export async function findProfile(
  db: Reader,
  projectId: string,
  identifier: Identifier | { kind: 'dayzId'; value: string },
): Promise<StoredProfile | null> {
  const wanted = completed({ [identifier.kind]: identifier.value });
  for (const column of identityColumns) {
    const value = wanted[column];
    if (value === null) continue;
    const row = await profiles(db, projectId).where(`player.${column}`, '=', value).executeTakeFirst();
    if (row === undefined) continue;
    const proven = identifier.kind === 'steamId64' ? { ...row, steamId64: identifier.value } : row;
    return (await withAliases(db, [proven]))[0] ?? null;
  }
  return null;
}

/** A player with the id in the store, by which players without any other identifier are found. */
interface StoredProfile {
  id: number;
  player: Player;
}

/** The players who go by a name now, in whatever ASCII case; those who were stored last come first. */
export async function findPlayersByName(
  db: Reader,
  projectId: string,
  name: string,
  limit: number,
): Promise<StoredProfile[]> {
  const rows = await profiles(db, projectId)
    .where(withoutCase('player.name'), '=', smallAscii(name))
    .orderBy('player.id', 'desc')
    .limit(limit)
    .execute();
  return await withAliases(db, rows);
}

export async function findPlayerById(db: Reader, projectId: string, id: number): Promise<Player | null> {
  const rows = await profiles(db, projectId).where('player.id', '=', id).execute();
  return (await withAliases(db, rows))[0]?.player ?? null;
}

/** The player's id in the game's own logs; null: none is known. */
export async function readGameId(db: Reader, id: number): Promise<string | null> {
  const row = await db.selectFrom('player').select('dayz_id').where('id', '=', id).executeTakeFirst();
  return row?.dayz_id ?? null;
}

function profiles(db: Reader, projectId: string) {
  return db
    .selectFrom('player')
    .leftJoin('player_stats', 'player_stats.player_id', 'player.id')
    .selectAll('player_stats')
    .select([...referenceColumns, 'player.id', 'player.first_seen_at', 'player.last_seen_at'])
    .where('player.project_id', '=', projectId)
    .where('player.hidden', '=', sql.lit(visibility.shown));
}

type ProfileRow = Awaited<ReturnType<ReturnType<typeof profiles>['execute']>>[number];

async function withAliases(db: Reader, rows: readonly ProfileRow[]): Promise<StoredProfile[]> {
  const ids = rows.map(({ id }) => id);
  const aliases = await readAliases(db, ids);
  return rows.map((row) => ({
    id: row.id,
    player: {
      ...toReference(row),
      aliases: aliases.get(row.id) ?? [],
      firstSeenAt: moment(row.first_seen_at),
      lastSeenAt: moment(row.last_seen_at),
      stats: statsOf(row),
    },
  }));
}

function statsOf(row: Readonly<Record<MetricColumn, number | null>>): PlayerStats {
  const stats = metricCodes.map((code) => [metrics[code].stat, row[metricColumns[code]]] as const);
  return Object.fromEntries(stats) as PlayerStats;
}
