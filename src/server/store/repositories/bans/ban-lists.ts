import { sql } from 'kysely';
import type { Ban, Banlist, BanTarget } from '../../../../api/resources.ts';
import type { Reader } from '../../engine/database.ts';
import { groupsOf } from '../../engine/each-chunk.ts';
import type { Stored } from '../../engine/schema/schema.ts';
import { visibility } from '../../engine/schema/rights-tables.ts';
import { hasNotEnded } from './served-bans.ts';
import { readAliases, referenceColumns, toReference } from '../players/player-profiles.ts';

/** Active ban lists of a project in the order of the config. `banCount` counts the served bans. */
export async function listBanLists(db: Reader, projectId: string, now: number): Promise<Banlist[]> {
  const rows = await db
    .selectFrom('ban_list')
    .select(({ selectFrom }) => [
      'id',
      'name',
      'description',
      'public',
      sql<Banlist['verificationStatus']>`verification_status`.as('verificationStatus'),
      selectFrom('ban')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('list_id', '=', 'ban_list.id')
        .where('lifted_at', 'is', null)
        .where(isServed)
        .where(hasNotEnded(now))
        .$asScalar()
        .$notNull()
        .as('banCount'),
    ])
    .where('project_id', '=', projectId)
    .where('active', '=', 1)
    .orderBy('position')
    .execute();
  return rows.map(({ public: isPublic, ...list }) => ({ ...list, isPublic: isPublic === 1 }));
}

/** The first `limit` active, unexpired bans of a list, newest first; null when the project has no such active list. */
export async function listBans(
  db: Reader,
  projectId: string,
  listId: string,
  limit: number,
  now: number,
): Promise<Ban[] | null> {
  const list = await db
    .selectFrom('ban_list')
    .select(['server_ids', 'file_servers'])
    .where('id', '=', listId)
    .where('project_id', '=', projectId)
    .where('active', '=', 1)
    .executeTakeFirst();
  if (list === undefined) return null;
  const servers = await targetServers(db, JSON.parse(list.server_ids) as string[]);
  const rows = await db
    .selectFrom('ban')
    .leftJoin('player', 'player.id', 'ban.player_id')
    .select([
      ...referenceColumns,
      'player.hidden',
      'source',
      'ban.player_id',
      'ban.player_name',
      'category',
      'reason',
      sql<number | null>`coalesce(since, starts_at)`.as('starts_at'),
      'expires_at',
      'state',
    ])
    .where('list_id', '=', listId)
    .where('lifted_at', 'is', null)
    .where(isServed)
    .where(hasNotEnded(now))
    .orderBy(sql`coalesce(since, starts_at, ban.first_seen_at)`, 'desc')
    .orderBy('ban.id', 'desc')
    .limit(limit)
    .execute();
  const playerIds = rows.flatMap((row) => row.player_id ?? []);
  // Of a hidden player a ban shows the identifiers only.
  const named = rows.filter(({ hidden }) => hidden === visibility.shown);
  const aliases = await readAliases(
    db,
    named.flatMap((row) => row.player_id ?? []),
  );
  const inForce = await readBansInForce(db, listId, playerIds, now);
  const fileServers = JSON.parse(list.file_servers) as Record<string, string[] | undefined>;
  return rows.map((row) => {
    const all = inForce.get(row.player_id) ?? [row];
    const { category, reason } = categoryAndReasonOf(row, all);
    return {
      category,
      reason,
      startsAt: row.starts_at === null ? null : new Date(row.starts_at).toISOString(),
      expiresAt: row.expires_at === null ? null : new Date(row.expires_at).toISOString(),
      permanent: row.expires_at === null,
      player: {
        ...toReference(row),
        name: (row.hidden ?? visibility.shown) === visibility.shown ? (row.name ?? row.player_name) : null,
        aliases: (row.player_id === null ? undefined : aliases.get(row.player_id)) ?? [],
      },
      targets: servers.map((server) => ({
        type: 'SERVER',
        serverId: server.id,
        name: server.name,
        state: targetState(fileServers, server.id, all),
      })),
    };
  });
}

/** A literal, not a bound value: only then does SQLite use the partial index of served bans. */
const isServed = sql<boolean>`ban.served = 1`;

type BanInForce = Pick<Stored<'ban'>, 'source' | 'state' | 'category' | 'reason' | 'expires_at'>;

/** All bans in force of these players in a list, newest first, by player. */
async function readBansInForce(
  db: Reader,
  listId: string,
  playerIds: readonly number[],
  now: number,
): Promise<Map<number | null, BanInForce[]>> {
  if (playerIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('ban')
    .select(['player_id', 'source', 'category', 'reason', 'expires_at', 'state'])
    .where('list_id', '=', listId)
    .where('player_id', 'in', playerIds)
    .where('lifted_at', 'is', null)
    .where(hasNotEnded(now))
    .orderBy(sql`coalesce(starts_at, first_seen_at)`, 'desc')
    .orderBy('id', 'desc')
    .execute();
  return groupsOf(rows, (row) => row.player_id);
}

/** The reason that the served ban lacks is that of another ban with the same end: one that ends earlier is for something else. */
function categoryAndReasonOf(
  served: BanInForce,
  all: readonly BanInForce[],
): Pick<BanInForce, 'category' | 'reason'> {
  const others = served.reason === null ? all.filter((ban) => ban.expires_at === served.expires_at) : [];
  const withReason = others.find(({ reason }) => reason !== null);
  return {
    category: served.category === 'OTHER' ? (withReason?.category ?? served.category) : served.category,
    reason: withReason?.reason ?? served.reason,
  };
}

async function targetServers(db: Reader, ids: readonly string[]): Promise<{ id: string; name: string }[]> {
  if (ids.length === 0) return [];
  return await db
    .selectFrom('server')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .where('active', '=', 1)
    .orderBy('position')
    .execute();
}

/**
 * The state of a player's bans on a server: ENFORCED where a file of that server contains the player, PENDING
 * elsewhere. FAILED is the contract's; Outpost applies no ban itself, so nothing can fail.
 * @param fileServers `ban_list.file_servers`
 */
function targetState(
  fileServers: Readonly<Record<string, readonly string[] | undefined>>,
  serverId: string,
  bans: readonly BanInForce[],
): BanTarget['state'] {
  const isEnforced = bans.some(
    ({ source, state }) => state === 'ENFORCED' && (fileServers[source]?.includes(serverId) ?? true),
  );
  return isEnforced ? 'ENFORCED' : 'PENDING';
}
