import type { Database } from '../../src/server/store/engine/database.ts';
import type { SaveOptions } from '../../src/server/store/repositories/kills/save-deaths.ts';
import { saveRuns as save, type RunToSave } from '../../src/server/store/repositories/logs/log-runs.ts';

/**
 * Stores copies of runs in a transaction.
 * @param playerOf default: the game's ids are those of the players
 */
export async function saveRuns(
  tx: Database,
  runs: readonly RunToSave[],
  options: Omit<SaveOptions, 'killsKeptMs' | 'playerOf'>,
  playerOf: SaveOptions['playerOf'] = Number,
) {
  return await save(tx, runs, { killsKeptMs: Number.POSITIVE_INFINITY, ...options, playerOf });
}
