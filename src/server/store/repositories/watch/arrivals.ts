import { sql } from 'kysely';
import type { Reader } from '../../engine/database.ts';
import { smallAscii, valuesOf, withoutCase, withoutIndex } from '../../engine/dialect.ts';
import { groupsOf } from '../../engine/each-chunk.ts';
import { visibility } from '../../engine/schema/rights-tables.ts';
import { hasNotEnded } from '../bans/served-bans.ts';
import { playSecondsOf } from '../players/characters.ts';
import { identityColumns } from '../players/person-identity.ts';
import { sameStayMs } from '../logs/presence.ts';
import { readEntries, type WatchEntry, watchedForm, WatchIndex, withoutNumber } from './watch-list.ts';

export interface Arrival {
  /** Increases with each arrival of a project. */
  id: number;
  serverId: string;
  playerId: number;
  name: string;
  steamId64: string | null;
  dayzId: string | null;
  isHidden: boolean;
  /** Epoch milliseconds. */
  at: number;
  storedAt: number;
  /** The player has left again. */
  isOver: boolean;
  /** The player was away for a moment only, and came back under another name. */
  isContinued: boolean;
  /** The entry of the watch list about the player; null: there is none. */
  watched: WatchEntry | null;
  /** The entry about another player, whose name this player uses for the first time. */
  namesakeOf: WatchEntry | null;
  /** The name before, where the player uses this one for the first time. */
  nameBefore: string | null;
  /** Those in force, one a list. */
  bans: readonly { list: string; reason: string | null; expiresAt: number | null }[];
  /** Never seen on the server before, of which at least a day is known. */
  isNew: boolean;
}

const dayMs = 86_400_000;

/** The id of the last arrival in a project; 0: there is none. */
export async function latestArrival(db: Reader, projectId: string): Promise<number> {
  const { id } = await db
    .selectFrom('stay')
    .select(({ fn }) => fn.max<number | null>('id').as('id'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  return id ?? 0;
}

/** The arrivals on servers of a project after an id, oldest first. */
export async function readArrivals(
  db: Reader,
  projectId: string,
  { after, limit, now }: { after: number; limit: number; now: number },
): Promise<Arrival[]> {
  const stays = await staysOf(db, projectId).where('stay.id', '>', after).limit(limit).execute();
  return await withFacts(db, projectId, stays, now);
}

/** Null: it is no longer kept. */
export async function findArrival(
  db: Reader,
  projectId: string,
  id: number,
  now: number,
): Promise<Arrival | null> {
  const stays = await staysOf(db, projectId).where('stay.id', '=', id).execute();
  return (await withFacts(db, projectId, stays, now))[0] ?? null;
}

/** The ids of the servers that a player has not left yet, by their logs. */
export async function readPresence(db: Reader, projectId: string, playerId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('stay')
    .select('server_id')
    .where('project_id', '=', projectId)
    .where('player_id', '=', playerId)
    .where('left_at', 'is', null)
    .execute();
  return rows.map(({ server_id }) => server_id);
}

const staysOf = (db: Reader, projectId: string) =>
  db
    .selectFrom('stay')
    .innerJoin('player', 'player.id', 'stay.player_id')
    .selectAll('stay')
    .select(['player.hidden', ...identityColumns.map((column) => `player.${column}` as const)])
    .where('stay.project_id', '=', projectId)
    .orderBy('stay.id');

type StayRow = Awaited<ReturnType<ReturnType<typeof staysOf>['execute']>>[number];

async function withFacts(
  db: Reader,
  projectId: string,
  stays: readonly StayRow[],
  now: number,
): Promise<Arrival[]> {
  if (stays.length === 0) return [];
  const entries = await readEntries(db, projectId, now);
  const index = new WatchIndex(entries);
  const watchedIds = entries.flatMap(({ playerId }) => playerId ?? []);
  const aliases = await aliasesOf(db, [...new Set([...stays.map((stay) => stay.player_id), ...watchedIds])]);
  const watchedNames = new Map(
    entries.flatMap((entry) =>
      (aliases.get(entry.playerId ?? 0) ?? []).map(({ name }) => [watchedForm(name), entry] as const),
    ),
  );
  const bans = await bansOf(db, projectId, stays, now);
  const played = await playedOn(db, stays);
  const logged = await loggedSince(db, [...new Set(stays.map(({ server_id }) => server_id))]);
  return stays.map((stay) => {
    const { name, at } = stay;
    /** The sightings of this stay; a line may name a player before the one that says who came. */
    const isOfStay = (firstSeenAt: number | null): boolean => (firstSeenAt ?? 0) >= at - sameStayMs;
    const known = (aliases.get(stay.player_id) ?? []).filter((alias) => !isOfStay(alias.first_seen_at));
    const isNewName = !known.some((alias) => withoutNumber(alias.name) === withoutNumber(name));
    const watched = index.of({ ...stay, id: stay.player_id }, name);
    return {
      id: stay.id,
      serverId: stay.server_id,
      playerId: stay.player_id,
      name,
      steamId64: stay.steam_id64,
      dayzId: stay.dayz_id,
      isHidden: stay.hidden !== visibility.shown,
      at: stay.just_now === 1 ? stay.stored_at : at,
      storedAt: stay.stored_at,
      isOver: stay.left_at !== null,
      isContinued: stay.continued === 1,
      watched,
      namesakeOf: watched === null && isNewName ? (watchedNames.get(watchedForm(name)) ?? null) : null,
      nameBefore: isNewName ? (known[0]?.name ?? null) : null,
      bans: bans(stay),
      isNew:
        !known.some((alias) => alias.server_id === stay.server_id) &&
        played(stay) <= now - stay.stored_at + sameStayMs &&
        (logged.get(stay.server_id) ?? at) <= at - dayMs,
    };
  });
}

/** By player, the latest first. Sightings under no name are left out. */
async function aliasesOf(db: Reader, playerIds: readonly number[]) {
  const rows = await db
    .selectFrom('player_alias')
    .select(['player_id', 'name', 'server_id', 'first_seen_at'])
    .where('player_id', 'in', valuesOf('integer', playerIds))
    .where('name', '<>', '')
    .orderBy('last_seen_at', (order) => order.desc().nullsLast())
    .orderBy('name')
    .execute();
  return groupsOf(rows, (row) => row.player_id);
}

/** For how long players have played on a server by its players.db, which knows also those whose logs are gone; milliseconds. */
async function playedOn(db: Reader, stays: readonly StayRow[]): Promise<(stay: StayRow) => number> {
  const ids = stays.map(({ player_id }) => player_id);
  const rows = await db
    .selectFrom('character')
    .select(['player_id', 'server_id', 'total'])
    .where('player_id', 'in', valuesOf('integer', ids))
    .execute();
  const keyOf = (row: Pick<StayRow, 'player_id' | 'server_id'>) => `${row.player_id} ${row.server_id}`;
  const played = new Map(rows.map((row) => [keyOf(row), playSecondsOf(row.total) * 1000]));
  return (stay) => played.get(keyOf(stay)) ?? 0;
}

/** Since when there are logs of servers. */
async function loggedSince(db: Reader, serverIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('server')
    .select('id')
    .select(
      sql<number | null>`(SELECT min(started_at) FROM log_run WHERE log_run.server_id = server.id)`.as(
        'since',
      ),
    )
    .where('id', 'in', valuesOf('text', serverIds))
    .execute();
  return new Map(rows.flatMap(({ id, since }) => (since === null ? [] : [[id, since]])));
}

/** The bans of players, and of bare names, as consoles ban. */
async function bansOf(
  db: Reader,
  projectId: string,
  stays: readonly StayRow[],
  now: number,
): Promise<(stay: StayRow) => Arrival['bans']> {
  const lists = await db
    .selectFrom('ban_list')
    .select(['id', 'name'])
    .where('project_id', '=', projectId)
    .where('active', '=', 1)
    .execute();
  const names = new Map(lists.map(({ id, name }) => [id, name]));
  const inForce = db
    .selectFrom('ban')
    .select(['list_id', 'player_id', 'player_name', 'reason', 'expires_at'])
    .where('lifted_at', 'is', null)
    .where('served', '=', 1)
    .where(hasNotEnded(now))
    .where(withoutIndex<string>('list_id'), 'in', valuesOf('text', [...names.keys()]))
    .orderBy('id');
  const ids = stays.map(({ player_id }) => player_id);
  const byPlayer = await inForce.where('player_id', 'in', valuesOf('integer', ids)).execute();
  const wanted = stays.map(({ name }) => smallAscii(name));
  const byName = await inForce
    .where('player_id', 'is', null)
    .where(withoutCase('player_name'), 'in', valuesOf('text', wanted))
    .execute();
  return ({ player_id, name }) =>
    [
      ...byPlayer.filter((ban) => ban.player_id === player_id),
      ...byName.filter((ban) => smallAscii(ban.player_name ?? '') === smallAscii(name)),
    ].map(({ list_id, reason, expires_at }) => ({
      list: names.get(list_id) ?? list_id,
      reason,
      expiresAt: expires_at,
    }));
}
