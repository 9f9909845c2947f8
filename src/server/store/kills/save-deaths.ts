import { sql } from 'kysely';
import type { DeathCause } from '../../../api/death-causes.ts';
import type { Database } from '../database.ts';
import { eachChunk } from '../engine/each-chunk.ts';

/** A death in a run. */
export interface DeathRow {
  /**
   * The game's id of the victim and the number of the victim's death in the run, from 1; together they identify the
   * death.
   */
  gameId: string;
  number: number;
  at: number;
  victimId: number;
  killerId: number | null;
  cause: DeathCause;
  weapon: string | null;
  bodyPart: string | null;
  ammo: string | null;
  meters: number | null;
  position: Place | null;
  killerPosition: Place | null;
}

interface Place {
  x: number;
  z: number;
}

export interface RunDeaths {
  runId: number;
  /** Whether these are all deaths of the run, so that others belong to a copy that no longer counts. */
  isWhole: boolean;
  /** Whether they were read while the log grew; false: they are history. */
  isLive: boolean;
  /** Whether they were written just now, although their times say something else. */
  isJustNow: boolean;
  rows: readonly DeathRow[];
}

/**
 * Stores deaths of a server's runs, in the transaction that counts them. A known death keeps its id and gets
 * additional details. Positions are stored only if the project keeps them.
 */
export async function saveDeaths(
  tx: Database,
  serverId: string,
  runs: readonly RunDeaths[],
  now: number,
): Promise<void> {
  if (runs.every(({ rows, isWhole }) => rows.length === 0 && !isWhole)) return;
  const { kill_positions } = await tx
    .selectFrom('server')
    .innerJoin('project', 'project.id', 'server.project_id')
    .select('kill_positions')
    .where('server.id', '=', serverId)
    .executeTakeFirstOrThrow();
  const values = runs.flatMap(({ runId, isLive, isJustNow, rows }) =>
    rows.map((row) => [runId, isLive ? (isJustNow ? 2 : 1) : 0, ...valuesOf(row, kill_positions === 1)]),
  );
  await deleteOthers(
    tx,
    runs.filter(({ isWhole }) => isWhole),
  );
  await eachChunk(values, async (chunk) => {
    await sql`
      INSERT INTO death (server_id, stored_at, run_id, live, game_id, number, at, victim_id, killer_id, cause, weapon,
        body_part, ammo, meters, victim_x, victim_z, killer_x, killer_z)
      SELECT ${serverId}, ${now}, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
        value ->> 6, value ->> 7, value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12, value ->> 13,
        value ->> 14, value ->> 15
      FROM json_each(${JSON.stringify(chunk)}) WHERE true
      ON CONFLICT (run_id, game_id, number) DO UPDATE SET at = excluded.at, victim_id = excluded.victim_id,
        killer_id = excluded.killer_id, cause = excluded.cause, weapon = excluded.weapon,
        body_part = excluded.body_part, ammo = excluded.ammo, meters = excluded.meters,
        victim_x = coalesce(victim_x, excluded.victim_x), victim_z = coalesce(victim_z, excluded.victim_z),
        killer_x = coalesce(killer_x, excluded.killer_x), killer_z = coalesce(killer_z, excluded.killer_z)
    `.execute(tx);
  });
}

function valuesOf(row: DeathRow, withPositions: boolean): (string | number | null)[] {
  const place = (of: Place | null): (number | null)[] =>
    withPositions && of !== null ? [of.x, of.z] : [null, null];
  return [
    row.gameId,
    row.number,
    row.at,
    row.victimId,
    // Two ids of one person.
    row.killerId === row.victimId ? null : row.killerId,
    row.cause,
    row.weapon,
    row.bodyPart,
    row.ammo,
    row.meters,
    ...place(row.position),
    ...place(row.killerPosition),
  ];
}

/** Deletes deaths that only an earlier copy of the run had. */
async function deleteOthers(tx: Database, runs: readonly RunDeaths[]): Promise<void> {
  await eachChunk(
    runs.map(({ runId, rows }) => [runId, rows.map(({ gameId, number }) => `${gameId} ${number}`)]),
    async (chunk) => {
      await sql`
        DELETE FROM death WHERE id IN (
          SELECT death.id FROM json_each(${JSON.stringify(chunk)}) AS run JOIN death ON death.run_id = run.value ->> 0
          WHERE death.game_id || ' ' || death.number NOT IN (SELECT value FROM json_each(run.value, '$[1]'))
        )
      `.execute(tx);
    },
  );
}

/** Moves the deaths and kills of one player to another. */
export async function moveDeaths(tx: Database, from: number, into: number): Promise<void> {
  await tx.updateTable('death').set({ victim_id: into }).where('victim_id', '=', from).execute();
  await tx.updateTable('death').set({ killer_id: into }).where('killer_id', '=', from).execute();
  await sql`UPDATE death SET killer_id = NULL WHERE victim_id = ${into} AND killer_id = ${into}`.execute(tx);
}
