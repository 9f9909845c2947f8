import { type NotNull, sql } from 'kysely';
import type { Reader } from '../../engine/database.ts';
import { joinInOrder, valuesOf } from '../../engine/dialect.ts';
import { visibility } from '../../engine/schema/rights-tables.ts';
import { topWeapon } from '../kills/boards.ts';
import { onBoards } from './on-boards.ts';
import type { PlayerFigure } from './period-boards.ts';

/*
 * What a recap of a week says of some servers besides the leaderboards of the week. Who is not on boards is first at nothing.
 */

/** Of which servers of a project, from the first moment to the first that does not count; epoch milliseconds. */
export interface RecapScope {
  projectId: string;
  serverIds: readonly string[];
  from: number;
  until: number;
}

const killsOf = (db: Reader, { serverIds, from, until }: RecapScope) =>
  db
    .selectFrom('death')
    .where('server_id', 'in', valuesOf('text', serverIds))
    .where('at', '>=', from)
    .where('at', '<', until)
    .where('killer_id', 'is not', null)
    .where(onBoards('death.killer_id'));

export async function readLongestKills(
  db: Reader,
  scope: RecapScope,
  limit: number,
): Promise<(PlayerFigure & { weapon: string | null })[]> {
  return await killsOf(db, scope)
    .select(['killer_id as playerId', 'meters as value', 'weapon'])
    .where('meters', '>', 0)
    .orderBy('meters', 'desc')
    .orderBy('id')
    .limit(limit)
    .$narrowType<{ playerId: NotNull; value: NotNull }>()
    .execute();
}

export const readDeadliestWeapon = async (db: Reader, scope: RecapScope): ReturnType<typeof topWeapon> =>
  await topWeapon(killsOf(db, scope));

/** A run that began before the week may go on into it. */
const longestRunMs = 2 * 24 * 3_600_000;

/**
 * How many players were seen for the first time. Null: no log is known of the time before, so everybody would be new, or none of
 * this time.
 */
export async function countNewcomers(
  db: Reader,
  { serverIds, from, until }: RecapScope,
): Promise<number | null> {
  const runs = db.selectFrom('log_run').select('id').where('server_id', 'in', valuesOf('text', serverIds));
  const [earlier, during] = await Promise.all([
    runs.where('started_at', '<', from).limit(1).executeTakeFirst(),
    runs.where('started_at', '>=', from).where('started_at', '<', until).limit(1).executeTakeFirst(),
  ]);
  if (earlier === undefined || during === undefined) return null;
  const present = sql<{ player_id: number }>`(
    SELECT DISTINCT player_id FROM log_run
    ${joinInOrder} log_run_player ON log_run_player.run_id = log_run.id
    WHERE log_run.server_id IN ${valuesOf('text', serverIds)}
    AND started_at >= ${from - longestRunMs} AND started_at < ${until}
  )`;
  const { newcomers } = await db
    .selectFrom(present.as('present'))
    .innerJoin('player', 'player.id', 'present.player_id')
    .select(({ fn }) => fn.countAll<number>().as('newcomers'))
    .where('first_seen_at', '>=', from)
    .where('first_seen_at', '<', until)
    .executeTakeFirstOrThrow();
  return newcomers;
}

/**
 * The names of players as they may be shown now, without those who are hidden or forgotten.
 * @param seenBefore an id may be another player's since, who was first seen later than this; epoch milliseconds
 */
export async function readShownNames(
  db: Reader,
  playerIds: readonly number[],
  seenBefore: number,
): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('player')
    .select(['id', 'name'])
    .where('id', 'in', valuesOf('integer', playerIds))
    .where('hidden', '=', sql.lit(visibility.shown))
    .where('first_seen_at', '<', seenBefore)
    .execute();
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])));
}
