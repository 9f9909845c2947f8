import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { greatest, least, rowsOf, valuesOf } from '../../engine/dialect.ts';
import { eachChunk } from '../../engine/each-chunk.ts';
import type { PersonIdentity } from './person-identity.ts';

/** A person with the names in a source, and when each was seen; times in epoch milliseconds. */
export interface PersonSeen {
  identity: PersonIdentity;
  /** Where; left out: the source belongs to no server. */
  serverId?: string;
  firstSeenAt: number | null;
  lastSeenAt: number | null;
  names: Iterable<[name: string, span: Seen]>;
  /** The name that the source gives as the current one, though no time shows it. */
  currentName?: string | null;
}

interface Seen {
  firstSeenAt: number | null;
  lastSeenAt: number | null;
}

/** The game allows about 30 characters; a longer name is forged. */
const maxNameLength = 128;

/** A name cut to a length that the store and Discord allow, never inside a character. */
export function boundedName(name: string): string {
  if (name.length <= maxNameLength) return name;
  return Buffer.from(name.slice(0, maxNameLength).replace(/\p{Surrogate}$/u, '')).toString();
}

const spanTypes = { first_seen_at: 'integer', last_seen_at: 'integer' } as const;

/**
 * The name seen last, independent of the order in which logs were read. Imports may give names without a time: of those,
 * and of names seen last at the same moment, it is `current`.
 */
const latestName = (current: RawBuilder<unknown>) => sql`(
  SELECT alias.name FROM player_alias AS alias WHERE alias.player_id = player.id AND alias.name <> ''
  ORDER BY alias.last_seen_at DESC NULLS LAST,
    CASE WHEN alias.server_id = '' AND alias.name = ${current} THEN 0 ELSE 1 END, alias.name
  LIMIT 1
)`;

/** Stores the names under which players were seen, and when. */
export async function saveSightings(
  tx: Database,
  people: readonly (PersonSeen & { playerId: number })[],
): Promise<void> {
  if (people.length === 0) return;
  const aliases = people.flatMap((person) =>
    namesOf(person).map(([name, { firstSeenAt, lastSeenAt }]) => {
      return [person.playerId, name, person.serverId ?? '', firstSeenAt, lastSeenAt];
    }),
  );
  await sql`
    INSERT INTO player_alias (player_id, name, server_id, first_seen_at, last_seen_at)
    SELECT id, name, server_id, min(first_seen_at), max(last_seen_at)
    FROM ${rowsOf('seen', { id: 'integer', name: 'text', server_id: 'text', ...spanTypes }, aliases)}
    GROUP BY id, name, server_id
    ON CONFLICT (player_id, name, server_id) DO UPDATE SET ${widenSpan('player_alias', 'excluded')}
  `.execute(tx);
  const seen = people.map(({ playerId, currentName = null, firstSeenAt, lastSeenAt }) => {
    return [playerId, currentName, firstSeenAt, lastSeenAt];
  });
  await sql`
    WITH seen AS (
      SELECT id, max(name) AS name, min(first_seen_at) AS first_seen_at, max(last_seen_at) AS last_seen_at
      FROM ${rowsOf('v', { id: 'integer', name: 'text', ...spanTypes }, seen)} GROUP BY id
    )
    UPDATE player SET ${widenSpan('player', 'seen')}, name = ${latestName(sql`coalesce(seen.name, player.name)`)}
    FROM seen WHERE player.id = seen.id
  `.execute(tx);
}

/** A person's names, and an empty one if the person was seen earlier or later than under any of them. */
function namesOf({ names, firstSeenAt, lastSeenAt }: PersonSeen): [name: string, span: Seen][] {
  const named = Array.from(names, ([name, span]): [string, Seen] => [boundedName(name), span]);
  const isWithin = (moment: number | null, side: keyof Seen): boolean =>
    moment === null || named.some(([, span]) => span[side] === moment);
  if (isWithin(firstSeenAt, 'firstSeenAt') && isWithin(lastSeenAt, 'lastSeenAt')) return named;
  return [...named, ['', { firstSeenAt, lastSeenAt }]];
}

/** The players who were seen on a server. */
export async function playersIn(tx: Database, serverId: string): Promise<number[]> {
  const rows = await tx
    .selectFrom('player_alias')
    .select('player_id')
    .distinct()
    .where('server_id', '=', serverId)
    .execute();
  return rows.map(({ player_id }) => player_id);
}

/** Computes again, from the stored names, when players were seen and what they are called; unknown without any. */
export async function refreshSeen(tx: Database, playerIds: readonly number[]): Promise<void> {
  await eachChunk(playerIds, async (chunk) => {
    await sql`
      UPDATE player SET
        first_seen_at = (SELECT min(first_seen_at) FROM player_alias AS alias WHERE alias.player_id = player.id),
        last_seen_at = (SELECT max(last_seen_at) FROM player_alias AS alias WHERE alias.player_id = player.id),
        name = ${latestName(sql.ref('player.name'))}
      WHERE id IN ${valuesOf('integer', chunk)}
    `.execute(tx);
  });
}

/** Assignments that widen one row's first and last time by another row's; a NULL changes nothing. */
export function widenSpan(target: string, by: string) {
  /** Both times, or the only known one twice. */
  const either = (column: string) => {
    const [had, came] = [sql.ref(`${target}.${column}`), sql.ref(`${by}.${column}`)];
    return [sql`coalesce(${had}, ${came})`, sql`coalesce(${came}, ${had})`];
  };
  return sql`
    first_seen_at = ${least(...either('first_seen_at'))},
    last_seen_at = ${greatest(...either('last_seen_at'))}`;
}
