import { heatCellMeters, type HeatKind } from '../../../../../src/api/heat-maps.ts';
import type { Database } from '../../../../../src/server/store/engine/database.ts';
import { upsert } from '../../../../../src/server/store/engine/table-rows.ts';
import { temporaryStore } from '../../../ingest/fixture.ts';

/** Somebody died somewhere. Places are squares: in the middle of the one with this column and row. */
export interface Event {
  at: number;
  victim: number;
  killer?: number | null;
  place?: readonly [x: number, z: number] | null;
  killerPlace?: readonly [x: number, z: number] | null;
  meters?: number | null;
  weapon?: string;
  storedAt?: number;
}

/** A store with server `s` of a project that keeps positions, and players 1 to 9, of whom 8 and 9 are hidden. */
export async function heatStore(): Promise<Database> {
  const db = await temporaryStore(['s', 't']);
  await db.updateTable('project').set({ kill_positions: 1 }).execute();
  await addPlayers(db);
  return db;
}

/** The same players and their run, in a store that has the project and its server. */
async function addPlayers(db: Database): Promise<void> {
  for (let id = 1; id <= 9; id += 1) {
    await db
      .insertInto('player')
      .values({ id, project_id: 'p', name: `Player ${id}`, hidden: id >= 8 ? 1 : 0 })
      .execute();
  }
  const run = { header: '', started_at: 1, bytes: 0, digest: '' };
  await db
    .insertInto('log_run')
    .values({ id: 1, server_id: 's', imported_at: 0, ...run })
    .execute();
}

const middle = (square: number | undefined): number | null =>
  square === undefined ? null : (square + 0.5) * heatCellMeters;

let number = 0;

export async function happen(db: Database, events: readonly Event[]): Promise<void> {
  const rows = events.map((event) => {
    const { at, victim, killer = null, place = null, killerPlace = null, meters = null } = event;
    number += 1;
    return {
      ...({ server_id: 's', run_id: 1, game_id: 'x', number, cause: 'player', live: 1 } as const),
      at,
      victim_id: victim,
      killer_id: killer,
      weapon: event.weapon ?? 'SVD',
      meters,
      victim_x: middle(place?.[0]),
      victim_z: middle(place?.[1]),
      killer_x: middle(killerPlace?.[0]),
      killer_z: middle(killerPlace?.[1]),
      stored_at: event.storedAt ?? at,
    };
  });
  await upsert(db, { table: 'death', key: ['run_id', 'game_id', 'number'] }, rows);
}

/** What the map of a kind shows of an event: the player and the square; null: nothing. */
export function shownOf(kind: HeatKind, event: Event): { player: number; square: string } | null {
  const { victim, killer = null, place = null, killerPlace = null, meters = null } = event;
  if (kind === 'shots' && (meters ?? 0) < 300) return null;
  const [player, at] = kind === 'deaths' ? [victim, place] : [killer, killerPlace];
  return player === null || at === null || player >= 8 ? null : { player, square: at.join(':') };
}
