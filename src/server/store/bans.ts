import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Ban } from '../../api/resources.ts';
import { eachChunk } from './each-chunk.ts';
import type { Database } from './database.ts';
import type { BanTable } from './schema.ts';
import { chooseServedBans } from './served-bans.ts';
import { unknownId } from './error.ts';

/** A ban as its source says it, the player already found. */
export interface SourceBan {
  key: string;
  playerId: number | null;
  playerName: string | null;
  category: Ban['category'];
  reason: string | null;
  /** Epoch milliseconds; NULL: unknown. */
  startsAt: number | null;
  /** NULL: permanent. */
  expiresAt: number | null;
  state: 'ENFORCED' | 'PENDING';
}

/** The last moment whose year has four digits, as the contract's dates have; what ends later is permanent. */
export const latestBanEnd = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

export interface BanChanges {
  added: number;
  updated: number;
  lifted: number;
  unchanged: number;
}

/** The project of a ban list. @throws StoreError when there is no such active list */
export async function projectOfBanList(db: Pick<Database, 'selectFrom'>, listId: string): Promise<string> {
  const lists = await db
    .selectFrom('ban_list')
    .select(['id', 'project_id'])
    .where('active', '=', 1)
    .execute();
  const list = lists.find(({ id }) => id === listId);
  if (list === undefined)
    throw unknownId(
      'ban list',
      listId,
      lists.map(({ id }) => id),
    );
  return list.project_id;
}

/** So many bans of a source are compared at once: few enough that a list of 200,000 costs little memory. */
const comparedAtOnce = 5_000;

/**
 * Makes a list agree with one of its sources: what is new is added (or is in force again), what changed is updated,
 * and what the source no longer holds is lifted.
 * @param banOf what an entry of the source says
 * @param findPlayers of the bans that are new or changed, in their order; those of the others are known
 */
export async function replaceSourceBans<Entry extends { key: string }>(
  tx: Database,
  { listId, source, now }: { listId: string; source: string; now: number },
  entries: readonly Entry[],
  banOf: (entry: Entry) => Omit<SourceBan, 'key' | 'playerId'>,
  findPlayers: (changed: readonly Entry[]) => Promise<(number | null)[]>,
): Promise<BanChanges> {
  const changes: BanChanges = { added: 0, updated: 0, lifted: 0, unchanged: 0 };
  const { inForce } = await tx
    .selectFrom('ban')
    .select(({ fn }) => fn.countAll<number>().as('inForce'))
    .where('list_id', '=', listId)
    .where('source', '=', source)
    .where('lifted_at', 'is', null)
    .executeTakeFirstOrThrow();
  for (let start = 0; start < entries.length; start += comparedAtOnce) {
    const some = entries.slice(start, start + comparedAtOnce).map((entry) => ({ entry, ban: banOf(entry) }));
    const known = await readBansOfSource(
      tx,
      listId,
      source,
      some.map(({ entry }) => entry.key),
    );
    const changed = some.filter(({ entry, ban }) => {
      const row = known.get(entry.key);
      if (row === undefined || row.lifted_at !== null) changes.added += 1;
      else if (
        row.player_name === ban.playerName &&
        row.category === ban.category &&
        row.reason === ban.reason &&
        row.starts_at === ban.startsAt &&
        row.expires_at === ban.expiresAt &&
        row.state === ban.state
      ) {
        changes.unchanged += 1;
        return false;
      } else changes.updated += 1;
      return true;
    });
    const playerIds = await findPlayers(changed.map(({ entry }) => entry));
    await saveBans(
      tx,
      listId,
      source,
      changed.map(({ entry, ban }, i) => ({ ...ban, key: entry.key, playerId: playerIds[i] ?? null })),
      now,
    );
  }
  if (inForce === changes.updated + changes.unchanged) return changes;
  const gone = await findMissingBans(tx, listId, source, new Set(entries.map(({ key }) => key)));
  await liftBans(tx, gone, now);
  return { ...changes, lifted: gone.length };
}

type ComparedBan = Pick<
  Selectable<BanTable>,
  'source_key' | 'player_name' | 'category' | 'reason' | 'starts_at' | 'expires_at' | 'state' | 'lifted_at'
>;

async function readBansOfSource(
  tx: Database,
  listId: string,
  source: string,
  keys: readonly string[],
): Promise<Map<string, ComparedBan>> {
  const known = new Map<string, ComparedBan>();
  await eachChunk(keys, async (json) => {
    const { rows } = await sql<ComparedBan>`
      SELECT source_key, player_name, category, reason, starts_at, expires_at, state, lifted_at
      FROM json_each(${json}) AS wanted CROSS JOIN ban
      ON ban.list_id = ${listId} AND ban.source = ${source} AND ban.source_key = wanted.value
    `.execute(tx);
    for (const row of rows) known.set(row.source_key, row);
  });
  return known;
}

/** The bans of a source that were not lifted and have none of these keys. */
async function findMissingBans(
  db: Pick<Database, 'selectFrom'>,
  listId: string,
  source: string,
  keys: ReadonlySet<string>,
): Promise<number[]> {
  const rows = await db
    .selectFrom('ban')
    .select(['id', 'source_key'])
    .where('list_id', '=', listId)
    .where('source', '=', source)
    .where('lifted_at', 'is', null)
    .execute();
  return rows.filter(({ source_key }) => !keys.has(source_key)).map(({ id }) => id);
}

/** Adds bans to a list, or updates those of the same source and key; a lifted one is in force again. */
export async function saveBans(
  tx: Database,
  listId: string,
  source: string,
  bans: readonly SourceBan[],
  now: number,
): Promise<void> {
  const rows = bans.map((ban) => [
    ban.key,
    ban.playerId,
    ban.playerName,
    ban.category,
    ban.reason,
    ban.startsAt,
    ban.expiresAt,
    ban.state,
  ]);
  await eachChunk(rows, async (json) => {
    await sql`
      INSERT INTO ban (
        list_id, source, source_key, player_id, player_name, category, reason, starts_at, expires_at, state,
        first_seen_at
      )
      SELECT ${listId}, ${source}, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
        value ->> 6, value ->> 7, ${now}
      FROM json_each(${json}) WHERE true
      ON CONFLICT (list_id, source, source_key) DO UPDATE SET
        player_id = excluded.player_id, player_name = excluded.player_name, category = excluded.category,
        reason = excluded.reason, starts_at = excluded.starts_at, expires_at = excluded.expires_at,
        state = excluded.state, lifted_at = NULL
    `.execute(tx);
  });
  await chooseServedBans(
    tx,
    bans.map(({ playerId }) => playerId),
  );
}

/** The bans of these players that are in force in a list, with where they came from. */
export async function findActiveBans(
  db: Pick<Database, 'selectFrom'>,
  listId: string,
  playerIds: readonly number[],
): Promise<{ id: number; source: string; key: string }[]> {
  return await db
    .selectFrom('ban')
    .select(['id', 'source', 'source_key as key'])
    .where('list_id', '=', listId)
    .where('player_id', 'in', playerIds)
    .where('lifted_at', 'is', null)
    .execute();
}

export async function liftBans(tx: Database, ids: readonly number[], now: number): Promise<void> {
  const players = new Set<number | null>();
  await eachChunk(ids, async (json) => {
    const { rows } = await sql<{ player_id: number | null }>`
      UPDATE ban SET lifted_at = ${now} WHERE id IN (SELECT value FROM json_each(${json})) RETURNING player_id
    `.execute(tx);
    for (const row of rows) players.add(row.player_id);
  });
  await chooseServedBans(tx, players);
}

/** The sources beginning with `prefix` from which a list has bans that were not lifted. */
export async function findBanSources(
  db: Pick<Database, 'selectFrom'>,
  listId: string,
  prefix: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('ban')
    .select('source')
    .distinct()
    .where('list_id', '=', listId)
    .where('source', '>=', prefix)
    .where('source', '<', `${prefix}\u{10ffff}`)
    .where('lifted_at', 'is', null)
    .orderBy('source')
    .execute();
  return rows.map(({ source }) => source);
}

/** Lifts all bans of a source. @returns how many */
export async function liftSource(tx: Database, listId: string, source: string, now: number): Promise<number> {
  const gone = await findMissingBans(tx, listId, source, new Set());
  await liftBans(tx, gone, now);
  return gone.length;
}

/** Lifts the bans of a source with these keys. */
export async function liftBansOfSource(
  tx: Database,
  listId: string,
  source: string,
  keys: readonly string[],
  now: number,
): Promise<void> {
  await eachChunk(keys, async (json) => {
    const { rows } = await sql<{ id: number }>`
      SELECT ban.id FROM json_each(${json}) AS wanted CROSS JOIN ban
      ON ban.list_id = ${listId} AND ban.source = ${source} AND ban.source_key = wanted.value AND lifted_at IS NULL
    `.execute(tx);
    await liftBans(
      tx,
      rows.map(({ id }) => id),
      now,
    );
  });
}

/** Whether a list has bans from a source that were not lifted; with `ever`, lifted ones, too. */
export async function hasBansOfSource(
  db: Pick<Database, 'selectFrom'>,
  listId: string,
  source: string,
  ever = false,
): Promise<boolean> {
  const ban = await db
    .selectFrom('ban')
    .select('id')
    .where('list_id', '=', listId)
    .where('source', '=', source)
    .$if(!ever, (bans) => bans.where('lifted_at', 'is', null))
    .limit(1)
    .executeTakeFirst();
  return ban !== undefined;
}

/** How many bans of a source are in force, and how many of those have none of these keys. */
export async function countMissingBans(
  db: Database,
  listId: string,
  source: string,
  keys: ReadonlySet<string>,
  now: number,
): Promise<{ inForce: number; missing: number }> {
  const isInForce = sql`
    ban.list_id = ${listId} AND ban.source = ${source} AND lifted_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})
  `;
  const count = async (statement: RawBuilder<{ count: number }>) =>
    (await statement.execute(db)).rows[0]?.count ?? 0;
  const inForce = await count(sql`SELECT count(*) AS count FROM ban WHERE ${isInForce}`);
  let held = 0;
  await eachChunk([...keys], async (json) => {
    held += await count(sql`
      SELECT count(*) AS count FROM json_each(${json}) AS wanted CROSS JOIN ban
      ON ban.source_key = wanted.value AND ${isInForce}
    `);
  });
  return { inForce, missing: inForce - held };
}

/** The bans of a player from one source of a list, also lifted ones; those not lifted first, then the newest. */
export async function findBansOfSource(
  db: Pick<Database, 'selectFrom'>,
  listId: string,
  source: string,
  playerId: number,
): Promise<{ id: number; key: string; liftedAt: number | null }[]> {
  return await db
    .selectFrom('ban')
    .select(['id', 'source_key as key', 'lifted_at as liftedAt'])
    .where('list_id', '=', listId)
    .where('source', '=', source)
    .where('player_id', '=', playerId)
    .orderBy(({ eb }) => eb('lifted_at', 'is', null), 'desc')
    .orderBy('id', 'desc')
    .execute();
}
