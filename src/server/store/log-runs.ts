import { sql } from 'kysely';
import type { Database } from './database.ts';
import { eachChunk } from './chunks.ts';

/** A copy of a run that the store has taken in. */
export interface KnownRun {
  bytes: number;
  digest: string;
}

/** The copy of a server's run that is in the store; undefined when there is none. */
export async function findRun(
  db: Pick<Database, 'selectFrom'>,
  serverId: string,
  header: string,
): Promise<KnownRun | undefined> {
  return await db
    .selectFrom('log_run')
    .select(['bytes', 'digest'])
    .where('server_id', '=', serverId)
    .where('header', '=', header)
    .executeTakeFirst();
}

export interface RunRow {
  serverId: string;
  /** The header's local time, which names the run on its server. */
  header: string;
  startedAt: number;
  fileName: string;
  bytes: number;
  digest: string;
  lines: number;
  unreadLines: number;
}

/** What a run says of one player, beside the player's id; see `LogRunPlayerTable`. */
export interface RunPlayerRow {
  playerKills: number;
  deaths: number;
  suicides: number;
  playSeconds: number;
  longestHitMeters: number | null;
  longestKillMeters: number | null;
  lifeHeadSeconds: number;
  lifeBestSeconds: number;
  lifeTailSeconds: number;
}

/** Assignments that join two rows of one run when their players turn out to be one person. */
export const joinRunPlayers = sql`
  player_kills = player_kills + excluded.player_kills, deaths = deaths + excluded.deaths,
  suicides = suicides + excluded.suicides, play_seconds = play_seconds + excluded.play_seconds,
  longest_hit_meters = nullif(max(coalesce(longest_hit_meters, 0), coalesce(excluded.longest_hit_meters, 0)), 0),
  longest_kill_meters = nullif(max(coalesce(longest_kill_meters, 0), coalesce(excluded.longest_kill_meters, 0)), 0),
  life_head_seconds = max(life_head_seconds, excluded.life_head_seconds),
  life_best_seconds = max(life_best_seconds, excluded.life_best_seconds),
  life_tail_seconds = max(life_tail_seconds, excluded.life_tail_seconds)`;

/**
 * Stores a run, in place of an earlier copy of it.
 * @returns the players of the earlier copy, whose statistics have changed too
 */
export async function saveRun(
  tx: Database,
  run: RunRow,
  players: readonly (readonly [playerId: number, row: RunPlayerRow])[],
  now: number,
): Promise<number[]> {
  const row = {
    started_at: run.startedAt,
    file_name: run.fileName,
    bytes: run.bytes,
    digest: run.digest,
    lines: run.lines,
    unread_lines: run.unreadLines,
    imported_at: now,
  };
  const { id } = await tx
    .insertInto('log_run')
    .values({ server_id: run.serverId, header: run.header, ...row })
    .onConflict((conflict) => conflict.columns(['server_id', 'header']).doUpdateSet(row))
    .returning('id')
    .executeTakeFirstOrThrow();
  const earlier = await tx
    .deleteFrom('log_run_player')
    .where('run_id', '=', id)
    .returning('player_id')
    .execute();
  const values = players.map(([playerId, one]) => [
    playerId,
    one.playerKills,
    one.deaths,
    one.suicides,
    one.playSeconds,
    one.longestHitMeters,
    one.longestKillMeters,
    one.lifeHeadSeconds,
    one.lifeBestSeconds,
    one.lifeTailSeconds,
  ]);
  await eachChunk(values, async (json) => {
    await sql`
      INSERT INTO log_run_player (
        run_id, player_id, player_kills, deaths, suicides, play_seconds, longest_hit_meters, longest_kill_meters,
        life_head_seconds, life_best_seconds, life_tail_seconds
      )
      SELECT ${id}, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
        value ->> 7, value ->> 8, value ->> 9
      FROM json_each(${json}) WHERE true
      ON CONFLICT DO UPDATE SET ${joinRunPlayers}
    `.execute(tx);
  });
  return earlier.map((player) => player.player_id);
}
