import { type RawBuilder, sql } from 'kysely';
import type { DeathCause } from '../../../../api/death-causes.ts';
import type { Database } from '../../engine/database.ts';
import { rowsOf, valuesOf } from '../../engine/dialect.ts';
import { chunksOf } from '../../engine/each-chunk.ts';
import type { Write } from '../../engine/send-together.ts';
import { type Merge, mergesAs } from '../players/merges.ts';
import { replacedBy, upserts } from '../../engine/table-rows.ts';

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
  serverId: string;
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
 * Stores deaths of runs, in the transaction that counts them. A known death keeps its id and gets additional details.
 * @param keepsPositions whether the project keeps positions
 */
export function deathWrites(
  runs: readonly RunDeaths[],
  { now, keepsPositions }: { now: number; keepsPositions: boolean },
): Write[] {
  const deaths = runs.flatMap(({ serverId, runId, isLive, isJustNow, rows }) =>
    rows.map((row) => ({
      server_id: serverId,
      run_id: runId,
      ...columnsOf(row, keepsPositions),
      stored_at: now,
      live: isLive ? (isJustNow ? 2 : 1) : 0,
    })),
  );
  const places = placeColumns.map(
    (column) =>
      sql`${sql.ref(column)} = coalesce(${sql.ref(`death.${column}`)}, ${sql.ref(`excluded.${column}`)})`,
  );
  return [
    ...chunksOf(runs.filter(({ isWhole }) => isWhole)).map((whole) => ({ statement: deleteOthers(whole) })),
    ...upserts(
      {
        table: 'death',
        key: ['run_id', 'game_id', 'number'],
        set: sql`${replacedBy(details)}, ${sql.join(places)}`,
      },
      deaths,
    ),
  ];
}

const details = ['at', 'victim_id', 'killer_id', 'cause', 'weapon', 'body_part', 'ammo', 'meters'] as const;
const placeColumns = ['victim_x', 'victim_z', 'killer_x', 'killer_z'] as const;

function columnsOf(row: DeathRow, withPositions: boolean) {
  const [place, killerPlace] = withPositions ? [row.position, row.killerPosition] : [];
  return {
    game_id: row.gameId,
    number: row.number,
    at: row.at,
    victim_id: row.victimId,
    // Two ids of one person.
    killer_id: row.killerId === row.victimId ? null : row.killerId,
    cause: row.cause,
    weapon: row.weapon,
    body_part: row.bodyPart,
    ammo: row.ammo,
    meters: row.meters,
    victim_x: place?.x ?? null,
    victim_z: place?.z ?? null,
    killer_x: killerPlace?.x ?? null,
    killer_z: killerPlace?.z ?? null,
  };
}

/** Deletes deaths that only an earlier copy of the runs had. */
function deleteOthers(runs: readonly RunDeaths[]): RawBuilder<unknown> {
  const ids = runs.map(({ runId }) => runId);
  const kept = runs.flatMap(({ runId, rows }) => rows.map(({ gameId, number }) => [runId, gameId, number]));
  const columns = { run_id: 'integer', game_id: 'text', number: 'integer' } as const;
  return sql`
    DELETE FROM death WHERE run_id IN ${valuesOf('integer', ids)}
      AND (run_id, game_id, number) NOT IN (SELECT run_id, game_id, number FROM ${rowsOf('kept', columns, kept)})
  `;
}

/** Moves the deaths and kills of players to those whom they turned out to be. */
export async function moveDeaths(tx: Database, merges: readonly Merge[]): Promise<void> {
  for (const column of ['victim_id', 'killer_id']) {
    const player = sql.ref(column);
    await sql`
      UPDATE death SET ${player} = merged.kept FROM ${mergesAs('merged', merges)} WHERE ${player} = merged.gone
    `.execute(tx);
  }
  const kept = merges.map(({ into }) => into);
  await sql`
    UPDATE death SET killer_id = NULL WHERE victim_id IN ${valuesOf('integer', kept)} AND killer_id = victim_id
  `.execute(tx);
}
