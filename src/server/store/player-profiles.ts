import { battleyeGuidOf, dayzIdOf, type Identifier } from '../../api/identifiers.ts';
import { metricCodes, metrics } from '../../api/metrics.ts';
import type { Alias, Player, PlayerReference, PlayerStats } from '../../api/resources.ts';
import type { ReadDatabase } from './database.ts';
import { type MetricColumn, metricColumns } from './metric-columns.ts';

export const referenceColumns = [
  'player.steam_id64',
  'player.battleye_guid',
  'player.cftools_id',
  'player.name',
] as const;

interface ReferenceRow {
  steam_id64: string | null;
  battleye_guid: string | null;
  cftools_id: string | null;
  name: string | null;
}

export function toReference(row: ReferenceRow): PlayerReference {
  return {
    steamId64: row.steam_id64,
    battleyeGuid: row.battleye_guid ?? (row.steam_id64 === null ? null : battleyeGuidOf(row.steam_id64)),
    cftoolsId: row.cftools_id,
    name: row.name,
  };
}

const moment = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** Known names of players, latest first, by player id. */
export async function readAliases(
  db: ReadDatabase['db'],
  playerIds: readonly number[],
): Promise<Map<number, Alias[]>> {
  const aliases = new Map<number, Alias[]>();
  if (playerIds.length === 0) return aliases;
  const rows = await db
    .selectFrom('player_alias')
    .select(({ fn }) => [
      'player_id',
      'name',
      fn.min<number | null>('first_seen_at').as('first_seen_at'),
      fn.max<number | null>('last_seen_at').as('last_seen_at'),
    ])
    .where('player_id', 'in', playerIds)
    .where('name', '<>', '')
    .groupBy(['player_id', 'name'])
    .orderBy('last_seen_at', 'desc')
    .orderBy('name')
    .execute();
  for (const row of rows) {
    const list = aliases.get(row.player_id) ?? [];
    list.push({
      name: row.name,
      firstSeenAt: moment(row.first_seen_at),
      lastSeenAt: moment(row.last_seen_at),
    });
    aliases.set(row.player_id, list);
  }
  return aliases;
}

/**
 * A player of the project by one identifier. A SteamID64 also finds who is known only by what is derived from it (the
 * BattlEye GUID, the DayZ id); the answer then names it, since the match proves it.
 */
export async function findPlayer(
  db: ReadDatabase['db'],
  projectId: string,
  identifier: Identifier,
): Promise<Player | null> {
  const candidates: readonly (readonly [
    'steam_id64' | 'battleye_guid' | 'cftools_id' | 'dayz_id',
    string,
  ])[] =
    identifier.kind === 'steamId64'
      ? [
          ['steam_id64', identifier.value],
          ['dayz_id', dayzIdOf(identifier.value)],
          ['battleye_guid', battleyeGuidOf(identifier.value)],
        ]
      : [[identifier.kind === 'battleyeGuid' ? 'battleye_guid' : 'cftools_id', identifier.value]];
  for (const [column, value] of candidates) {
    const row = await db
      .selectFrom('player')
      .leftJoin('player_stats', 'player_stats.player_id', 'player.id')
      .selectAll('player_stats')
      .select([...referenceColumns, 'player.id', 'player.first_seen_at', 'player.last_seen_at'])
      .where('player.project_id', '=', projectId)
      .where(`player.${column}`, '=', value)
      .executeTakeFirst();
    if (row === undefined) continue;
    const proven = identifier.kind === 'steamId64' ? { ...row, steam_id64: identifier.value } : row;
    return {
      ...toReference(proven),
      aliases: (await readAliases(db, [row.id])).get(row.id) ?? [],
      firstSeenAt: moment(row.first_seen_at),
      lastSeenAt: moment(row.last_seen_at),
      stats: statsOf(row),
    };
  }
  return null;
}

function statsOf(row: Readonly<Record<MetricColumn, number | null>>): PlayerStats {
  const stats = metricCodes.map((code) => [metrics[code].stat, row[metricColumns[code]]] as const);
  return Object.fromEntries(stats) as PlayerStats;
}
