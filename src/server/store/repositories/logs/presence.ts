import { sql } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { valuesOf } from '../../engine/dialect.ts';
import type { Stored } from '../../engine/schema/schema.ts';
import { jsonOf } from '../../engine/storable.ts';
import { deleteRows, insertRows, updateRows, upsert } from '../../engine/table-rows.ts';
import { isPseudonym } from '../rights/forgotten-list.ts';
import type { RosterChange, RosterPart, Visit } from './rosters.ts';

/** Who comes back sooner has not left: the game crashed, the server restarted. */
export const sameStayMs = 10 * 60_000;
/** Long enough for a bot that was away, and for what comes late from a host. */
const keptMs = 2 * 86_400_000;

interface PresenceOptions {
  projectId: string;
  /** Undefined: the player is forgotten. */
  playerOf: (gameId: string) => number | undefined;
  now: number;
}

/** The run of a stored roster. */
type RosterRun = Pick<Stored<'roster'>, 'header' | 'logged_at'>;

/** What a part of a log is to the stored run. */
interface PartOfRun {
  /** It knows as much of the stored run as is stored, or what comes after it. */
  goesOn: boolean;
  /** It has the beginning of a later run. */
  begins: boolean;
}

/**
 * The one rule for which of several followed logs of a server says who is on: the one with the latest run; of several copies of
 * a run, the one that is ahead. @returns null: a part of another one, which changes nothing
 */
function partOfRun(stored: RosterRun | undefined, { ended, run }: RosterChange): PartOfRun | null {
  const goesOn =
    stored !== undefined &&
    (run?.follows === stored.header ||
      (run?.header === stored.header && run.loggedAt >= stored.logged_at) ||
      (ended.get(stored.header) ?? Number.NEGATIVE_INFINITY) >= stored.logged_at);
  const begins =
    run?.isNew === true &&
    (stored === undefined || run.header > stored.header || (goesOn && ended.has(stored.header)));
  return goesOn || begins ? { goesOn, begins } : null;
}

/**
 * Stores who is on servers, who came and who left, in the transaction that stores how far their logs were read. A copy of a log, or
 * one that is read again, changes nothing.
 */
export async function savePresence(
  tx: Database,
  parts: readonly RosterPart[],
  options: PresenceOptions,
): Promise<void> {
  const ids = [...new Set(parts.map(({ serverId }) => serverId))];
  const stored = await tx
    .selectFrom('roster')
    .select(['server_id', 'header', 'logged_at'])
    .where('server_id', 'in', valuesOf('text', ids))
    .execute();
  const runs = new Map<string, RosterRun | undefined>(stored.map((row) => [row.server_id, row]));
  const rosters = new Map<string, Stored<'roster'> | null>();
  for (const part of parts) {
    const { serverId, change } = part;
    const run = runs.get(serverId);
    const kind = partOfRun(run, change);
    if (kind === null) continue;
    await saveStays(tx, part, { ...kind, run }, options);
    const row = rowOf(part);
    runs.set(serverId, row ?? undefined);
    rosters.set(serverId, row);
  }
  const ended = [...rosters].flatMap(([server_id, row]) => (row === null ? [{ server_id }] : []));
  await deleteRows(tx, 'roster', ended);
  await upsert(
    tx,
    { table: 'roster', key: ['server_id'] },
    [...rosters.values()].filter((row) => row !== null),
  );
}

/** Null: the run has ended. */
function rowOf({ serverId, change: { run }, asOf, pollEveryMs }: RosterPart): Stored<'roster'> | null {
  return (
    run && {
      server_id: serverId,
      header: run.header,
      complete: Number(run.isComplete),
      listed_at: run.listedAt,
      logged_at: run.loggedAt,
      as_of: asOf,
      poll_every_ms: pollEveryMs,
      people: jsonOf(run.players),
    }
  );
}

type OpenStay = Pick<Stored<'stay'>, 'game_id' | 'name' | 'at' | 'left_at'>;
type StoredStay = OpenStay & { id: number };

/**
 * Stores who came on and who left in a part of a server's log. Stays are kept for two days whether or not an alert asks
 * for them: one that is configured later must know who has been on all along, and the bot may be another process.
 * @param kind what the part is to the stored run, which is undefined where there is none
 */
async function saveStays(
  tx: Database,
  part: RosterPart,
  kind: PartOfRun & { run: RosterRun | undefined },
  { projectId, playerOf, now }: PresenceOptions,
): Promise<void> {
  const { serverId, change, age } = part;
  const { visits, left, run } = change;
  const isReadAgain = run?.isNew === true && run.header === kind.run?.header;
  // Mostly, nobody came or left.
  if (visits.length === 0 && left.size === 0 && !kind.begins && !isReadAgain) return;
  const latest = await readLatest(tx, serverId, [...visits.map(({ gameId }) => gameId), ...left.keys()]);
  /** When the server was last heard of before. */
  const until = kind.run?.logged_at;
  /** Who was on then, and left unless the part says otherwise. */
  const wereOn = new Set<OpenStay>();
  const changed = new Set<OpenStay>();
  const added: (OpenStay & { continued: number })[] = [];
  const end = (stay: OpenStay, at: number): void => {
    // The clock may have been set back since the stay began.
    stay.left_at = Math.max(at, stay.at);
    changed.add(stay);
  };
  const come = ({ gameId, name, at, leftAt }: Visit): void => {
    const before = latest.get(gameId);
    if (before?.left_at === null) {
      if (!wereOn.has(before) || at <= before.at) {
        // The log is read again, and further.
        if (leftAt !== null && at >= before.at) end(before, leftAt);
        return;
      }
      end(before, until ?? before.at);
    }
    const awayMs = before === undefined ? Infinity : at - (before.left_at ?? at);
    if (awayMs < 0) return;
    const continued = awayMs <= sameStayMs;
    if (before !== undefined && continued && before.name === name) {
      before.left_at = leftAt;
      changed.add(before);
      wereOn.delete(before);
    } else if (age !== 'history') {
      const stay = { game_id: gameId, name, at, left_at: leftAt, continued: Number(continued) };
      latest.set(gameId, stay);
      added.push(stay);
    }
  };

  for (const [gameId, at] of kind.goesOn ? left : []) {
    const stay = latest.get(gameId);
    if (stay?.left_at === null) end(stay, at);
  }
  if (kind.begins) {
    // The server has nobody on then; when they left, the part may say.
    for (const stay of latest.values()) if (stay.left_at === null) wereOn.add(stay);
  }
  for (const visit of visits) come(visit);
  if (isReadAgain && run.isComplete) {
    // Who was on before a log lost its start, and is on no list since, left without a line that says so.
    const came = new Set(visits.map(({ gameId }) => gameId));
    for (const stay of latest.values()) if (!came.has(stay.game_id)) wereOn.add(stay);
  }
  for (const stay of wereOn) if (stay.left_at === null) end(stay, until ?? stay.at);

  const ended = [...changed].filter((stay) => 'id' in stay) as StoredStay[];
  await updateRows(
    tx,
    { table: 'stay', key: ['id'] },
    ended.map(({ id, left_at }) => ({ id, left_at })),
  );
  const rows = added.flatMap((stay) => {
    const player_id = playerOf(stay.game_id);
    if (player_id === undefined || isPseudonym(stay.game_id)) return [];
    const just_now = Number(age === 'misdated');
    return [{ project_id: projectId, server_id: serverId, player_id, ...stay, just_now, stored_at: now }];
  });
  await insertRows(tx, 'stay', rows);
}

/** The latest stay of everybody who is on, and of these, by the game's id. */
async function readLatest(
  tx: Database,
  serverId: string,
  gameIds: readonly string[],
): Promise<Map<string, OpenStay>> {
  const stays = tx
    .selectFrom('stay')
    .select(['id', 'game_id', 'name', 'at', 'left_at'])
    .where('server_id', '=', serverId);
  const rows: StoredStay[] = await stays
    .where('left_at', 'is', null)
    .union(stays.where('game_id', 'in', valuesOf('text', gameIds)))
    .orderBy('id')
    .execute();
  return new Map(rows.map((row) => [row.game_id, row]));
}

/** Deletes stays that were stored long ago. */
export async function deleteOldStays(db: Database, now: number): Promise<void> {
  // Ids are in the order in which stays were stored, so none is read that stays, but the first.
  await sql`
    DELETE FROM stay WHERE id < coalesce(
      (SELECT id FROM stay WHERE stored_at >= ${now - keptMs} ORDER BY id LIMIT 1), ${Number.MAX_SAFE_INTEGER}
    )
  `.execute(db);
}
