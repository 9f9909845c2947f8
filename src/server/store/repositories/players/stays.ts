import { sql } from 'kysely';
import type { Database } from '../../engine/database.ts';
import { greatest, valuesOf } from '../../engine/dialect.ts';
import { eachChunk } from '../../engine/each-chunk.ts';
import type { Stored } from '../../engine/schema/schema.ts';
import { updateRows } from '../../engine/table-rows.ts';
import { isPseudonym } from '../rights/forgotten-list.ts';
import type { RosterChange, RosterPart, RosterRun } from '../logs/rosters.ts';

/** Who comes back sooner has not left: the game crashed, the server restarted. */
export const sameStayMs = 10 * 60_000;
/** Long enough for a bot that was away, and for what comes late from a host. */
const keptMs = 2 * 86_400_000;

type LatestStay = Pick<Stored<'stay'>, 'name' | 'at' | 'left_at'> & { id: number | null };
type NewStay = LatestStay & { game_id: string; continued: boolean };

interface SaveOptions {
  projectId: string;
  /** The run of the roster as it was stored before. */
  present: RosterRun | null;
  /** Undefined: the player is forgotten. */
  playerOf: (gameId: string) => number | undefined;
  now: number;
}

/**
 * Stores who came on and who left, in the transaction that stores the position of the log. A copy of a log, or one that is
 * read again, changes nothing: all in it was before the latest stay ended. Stays are kept for two days whether or not an alert asks
 * for them: one that is configured later must know who has been on all along, and the bot may be another process.
 */
export async function saveStays(
  tx: Database,
  { serverId: server_id, age, change }: RosterPart,
  { projectId: project_id, present, playerOf, now }: SaveOptions,
): Promise<void> {
  const { run, visits, left } = change;
  const isOfPresent = present !== null && knows(change, present);
  const begins =
    run?.isNew === true &&
    (present === null || run.header > present.header || (isOfPresent && change.ended.has(present.header)));
  // An older run, or a copy that is behind: whoever is on, came after it.
  if (!isOfPresent && !begins) return;

  const latest = await latestStays(tx, server_id, [...visits.map(({ gameId }) => gameId), ...left.keys()]);
  const changed = new Set<LatestStay>();
  const added: NewStay[] = [];
  // The clock may have been set back since the stay began.
  const end = (stay: LatestStay, at: number): void => {
    stay.left_at = Math.max(at, stay.at);
    changed.add(stay);
  };

  if (isOfPresent) {
    for (const [gameId, at] of left) {
      const stay = latest.get(gameId);
      if (stay?.left_at === null) end(stay, at);
    }
  }
  // A server that begins a new run has nobody on; when they left, the part may say.
  const wereOn = new Set(begins ? [...latest.values()].filter(({ left_at }) => left_at === null) : []);
  const lastHeardAt = present?.logged_at ?? null;

  const isAhead = (at: number): boolean => at > now + sameStayMs;
  const isReadAgain = run?.isNew === true && run.header === present?.header;
  for (const { gameId, name, at, leftAt } of visits) {
    let stay = latest.get(gameId);
    // Written by a clock that was ahead until it was set right, such a moment says nothing of what comes after it.
    if (stay !== undefined && isAhead(stay.left_at ?? stay.at) && !isAhead(at) && !isReadAgain)
      stay = undefined;
    if (stay?.left_at === null) {
      if (!wereOn.has(stay) || at <= stay.at) {
        // The log is read again, and further.
        if (leftAt !== null && at >= stay.at) end(stay, leftAt);
        continue;
      }
      end(stay, lastHeardAt ?? stay.at);
    }
    const stayedUntil = stay?.left_at ?? null;
    if (stayedUntil !== null && at < stayedUntil) continue;
    const continued = stayedUntil !== null && at - stayedUntil <= sameStayMs;
    if (stay !== undefined && continued && stay.name === name) {
      stay.left_at = leftAt;
      changed.add(stay);
      wereOn.delete(stay);
    } else if (age !== 'history') {
      const next = { id: null, game_id: gameId, name, at, left_at: leftAt, continued };
      latest.set(gameId, next);
      added.push(next);
    }
  }
  for (const stay of wereOn) if (stay.left_at === null) end(stay, lastHeardAt ?? stay.at);

  // Who was on before a log lost its start, and is on no list since, left without a line that says so.
  const isWhole = isReadAgain && run.isComplete;
  if (isWhole) {
    for (const { gameId } of visits) {
      const stay = latest.get(gameId);
      if (stay?.left_at === null) changed.add(stay);
    }
  }
  if (begins || isWhole) await endStays(tx, server_id, lastHeardAt);
  const ended = [...changed].flatMap(({ id, left_at }) => (id === null ? [] : [{ id, left_at }]));
  await updateRows(tx, { table: 'stay', key: ['id'] }, ended);
  const just_now = Number(age === 'misdated');
  const rows = added.flatMap(({ game_id, name, at, left_at, continued }) => {
    const player_id = playerOf(game_id);
    if (player_id === undefined || isPseudonym(game_id)) return [];
    const player = { project_id, server_id, player_id, game_id, name };
    return [{ ...player, at, left_at, continued: Number(continued), just_now, stored_at: now }];
  });
  await eachChunk(rows, async (chunk) => {
    await tx
      .insertInto('stay')
      .values([...chunk])
      .execute();
  });
}

/** Whether a part of a log knows as much of a run as is stored, or what comes after it. */
const knows = ({ run, ended }: RosterChange, { header, logged_at }: RosterRun): boolean =>
  run?.follows === header ||
  (run?.header === header && run.loggedAt >= logged_at) ||
  (ended.get(header) ?? Number.NEGATIVE_INFINITY) >= logged_at;

/** Ends the open stays of a server; those that go on are changed after that. @param until when it was last heard of; null: unknown */
async function endStays(tx: Database, serverId: string, until: number | null): Promise<void> {
  await tx
    .updateTable('stay')
    .set({ left_at: greatest(sql`at`, sql`coalesce(${until}, at)`) })
    .where('server_id', '=', serverId)
    .where('left_at', 'is', null)
    .execute();
}

/** The latest stay of everybody who came or left, by the game's id. Mostly, nobody did. */
async function latestStays(
  tx: Database,
  serverId: string,
  gameIds: readonly string[],
): Promise<Map<string, LatestStay>> {
  if (gameIds.length === 0) return new Map();
  const rows = await tx
    .selectFrom('stay')
    .select(['id', 'game_id', 'name', 'at', 'left_at'])
    .where('server_id', '=', serverId)
    .where('game_id', 'in', valuesOf('text', gameIds))
    .orderBy('id')
    .execute();
  return new Map(rows.map(({ game_id, ...stay }) => [game_id, stay]));
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
