import type { Generated } from 'kysely';
import type { DeathCause } from '../../../../api/death-causes.ts';
import type { HeatKind } from '../../../../api/heat-maps.ts';

/**
 * A death in a run, with who killed whom and how. It is identified by its run, the game's id of the victim and the
 * number of the victim's death in the run, so that reading the run again finds the same row.
 */
export interface DeathTable {
  /** Never reused. */
  id: Generated<number>;
  server_id: string;
  run_id: number;
  /** Of a forgotten player a pseudonym, see `ForgottenList`. */
  game_id: string;
  number: number;
  at: number;
  victim_id: number;
  killer_id: number | null;
  cause: DeathCause;
  weapon: string | null;
  body_part: string | null;
  ammo: string | null;
  meters: number | null;
  /** Metres on the terrain's map, to the east and north; NULL unless the project keeps positions. */
  victim_x: number | null;
  victim_z: number | null;
  killer_x: number | null;
  killer_z: number | null;
  stored_at: number;
  /**
   * 1: read while the log grew; 2: also written just then, although its time says something else; 0: history, of which
   * nobody is notified.
   */
  live: number;
}

/** How many deaths there were in a square of a server's map in a week whose deaths are no longer all kept. It names nobody. */
export interface DeathCellTable {
  server_id: string;
  /** Its first moment; it begins on Monday, UTC. */
  week: number;
  kind: HeatKind;
  /** The square's column from the west and row from the south. */
  x: number;
  z: number;
  events: number;
  /** 1: they were of more than one player. */
  shared: number;
}
