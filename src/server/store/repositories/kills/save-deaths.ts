import { sql } from 'kysely';
import type { DeathCause } from '../../../../api/death-causes.ts';
import type { Database } from '../../engine/database.ts';
import { rowsOf, valuesOf } from '../../engine/dialect.ts';
import type { LogAge } from '../logs/log-age.ts';
import { type Merge, mergesAs } from '../players/merges.ts';
import { replacedBy, upsert } from '../../engine/table-rows.ts';

/** What killed a player, and where, as far as the log says so. */
export interface Blow {
  cause: DeathCause;
  /** The weapon's name in the game. */
  weapon: string | null;
  bodyPart: string | null;
  ammo: string | null;
  meters: number | null;
  /** On the terrain's map. */
  position: MapPosition | null;
  killerPosition: MapPosition | null;
}

/** A death in a run, in which the victim and the number identify it. */
export interface RunDeath extends Blow {
  /** The game's id. */
  victim: string;
  /** 1: the victim's first death of the run. */
  number: number;
  /** Of its first line, epoch milliseconds. */
  at: number;
  /** The game's id; null: no killer, or an unknown one. */
  killer: string | null;
}

export interface MapPosition {
  x: number;
  z: number;
}

interface RunDeaths {
  serverId: string;
  runId: number;
  /** Whether the part begins with the run, so that deaths in no part belong to a copy that no longer counts. */
  hasAllDeaths: boolean;
  age: LogAge;
  deaths: readonly RunDeath[];
}

export interface SaveOptions {
  now: number;
  keepsPositions: boolean;
  /** For how long the project keeps deaths. An older one may have been known and deleted, so it is no news. */
  killsKeptMs: number;
  playerOf: (gameId: string) => number;
}

/**
 * Stores deaths of runs, in the transaction that counts them. A known death keeps its id and gets additional details.
 */
export async function saveDeaths(
  tx: Database,
  runs: readonly RunDeaths[],
  { now, keepsPositions, killsKeptMs, playerOf }: SaveOptions,
): Promise<void> {
  const deaths = runs.flatMap(({ serverId, runId, age, deaths }) =>
    deaths.map((death) => ({
      server_id: serverId,
      run_id: runId,
      ...columnsOf(death, keepsPositions, playerOf),
      stored_at: now,
      live: death.at < now - killsKeptMs ? liveOf.history : liveOf[age],
    })),
  );
  const positions = positionColumns.map(
    (column) =>
      sql`${sql.ref(column)} = coalesce(${sql.ref(`death.${column}`)}, ${sql.ref(`excluded.${column}`)})`,
  );
  await deleteOthers(tx, runs);
  const set = sql`${replacedBy(details)}, ${sql.join(positions)}`;
  await upsert(tx, { table: 'death', key: ['run_id', 'game_id', 'number'], set }, deaths);
}

/** As `death.live`. */
const liveOf = { history: 0, live: 1, fresh: 1, misdated: 2 } as const satisfies Record<LogAge, number>;

const details = ['at', 'victim_id', 'killer_id', 'cause', 'weapon', 'body_part', 'ammo', 'meters'] as const;
const positionColumns = ['victim_x', 'victim_z', 'killer_x', 'killer_z'] as const;

function columnsOf(death: RunDeath, withPositions: boolean, playerOf: (gameId: string) => number) {
  const [position, killerPosition] = withPositions ? [death.position, death.killerPosition] : [];
  const victim_id = playerOf(death.victim);
  const killer_id = death.killer === null ? null : playerOf(death.killer);
  return {
    game_id: death.victim,
    number: death.number,
    at: death.at,
    victim_id,
    // Two ids of one person.
    killer_id: killer_id === victim_id ? null : killer_id,
    cause: death.cause,
    weapon: death.weapon,
    body_part: death.bodyPart,
    ammo: death.ammo,
    meters: death.meters,
    victim_x: position?.x ?? null,
    victim_z: position?.z ?? null,
    killer_x: killerPosition?.x ?? null,
    killer_z: killerPosition?.z ?? null,
  };
}

/** Deletes deaths that only an earlier copy of a run had. */
async function deleteOthers(tx: Database, runs: readonly RunDeaths[]): Promise<void> {
  const whole = runs.filter(({ hasAllDeaths }) => hasAllDeaths).map(({ runId }) => runId);
  if (whole.length === 0) return;
  const kept = runs.flatMap(({ runId, deaths }) =>
    deaths.map(({ victim, number }) => [runId, victim, number]),
  );
  const columns = { run_id: 'integer', game_id: 'text', number: 'integer' } as const;
  await sql`
    DELETE FROM death WHERE run_id IN ${valuesOf('integer', whole)}
      AND (run_id, game_id, number) NOT IN (SELECT run_id, game_id, number FROM ${rowsOf('kept', columns, kept)})
  `.execute(tx);
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
