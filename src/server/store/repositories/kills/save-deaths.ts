import { sql } from 'kysely';
import type { DeathCause } from '../../../../api/death-causes.ts';
import type { Database } from '../../engine/database.ts';
import { valuesOf } from '../../engine/dialect.ts';
import { eachChunk } from '../../engine/each-chunk.ts';
import { type Merge, mergesAs } from '../players/merges.ts';
import { replacedBy, upsert } from '../../engine/upsert.ts';

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
 * additional details.
 * @param keepsPositions whether the project keeps positions
 */
export async function saveDeaths(
  tx: Database,
  serverId: string,
  runs: readonly RunDeaths[],
  { now, keepsPositions }: { now: number; keepsPositions: boolean },
): Promise<void> {
  if (runs.every(({ rows, isWhole }) => rows.length === 0 && !isWhole)) return;
  const values = runs.flatMap(({ runId, isLive, isJustNow, rows }) =>
    rows.map((row) => [runId, ...rowOf(row, keepsPositions), isLive ? (isJustNow ? 2 : 1) : 0]),
  );
  await deleteOthers(
    tx,
    runs.filter(({ isWhole }) => isWhole),
  );
  const places = Object.keys(placeColumns).map(
    (column) =>
      sql`${sql.ref(column)} = coalesce(${sql.ref(`death.${column}`)}, ${sql.ref(`excluded.${column}`)})`,
  );
  await upsert(
    tx,
    {
      table: 'death',
      fixed: { server_id: serverId, stored_at: now },
      columns: { ...keyColumns, ...figureColumns, ...placeColumns, live: 'integer' },
      key: Object.keys(keyColumns),
      set: sql`${replacedBy(Object.keys(figureColumns))}, ${sql.join(places)}`,
    },
    values,
  );
}

const keyColumns = { run_id: 'integer', game_id: 'text', number: 'integer' } as const;
const figureColumns = {
  at: 'integer',
  victim_id: 'integer',
  killer_id: 'integer',
  cause: 'text',
  weapon: 'text',
  body_part: 'text',
  ammo: 'text',
  meters: 'real',
} as const;
const placeColumns = { victim_x: 'real', victim_z: 'real', killer_x: 'real', killer_z: 'real' } as const;

/** The values of these columns, but for the run. */
function rowOf(row: DeathRow, withPositions: boolean): (string | number | null)[] {
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
  const kept = new Map(
    runs.map(({ runId, rows }) => [runId, new Set(rows.map(({ gameId, number }) => `${gameId} ${number}`))]),
  );
  await eachChunk([...kept.keys()], async (chunk) => {
    const stored = await tx
      .selectFrom('death')
      .select(['id', 'run_id', 'game_id', 'number'])
      .where('run_id', 'in', valuesOf('integer', chunk))
      .execute();
    const others = stored.filter(
      ({ run_id, game_id, number }) => kept.get(run_id)?.has(`${game_id} ${number}`) === false,
    );
    if (others.length === 0) return;
    const ids = others.map(({ id }) => id);
    await tx.deleteFrom('death').where('id', 'in', valuesOf('integer', ids)).execute();
  });
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
