import type { Database } from '../../src/server/store/engine/database.ts';
import type { SaveOptions } from '../../src/server/store/repositories/kills/save-deaths.ts';
import { type RunToSave, saveRun } from '../../src/server/store/repositories/logs/log-runs.ts';

/**
 * Stores copies of runs in a transaction.
 * @param playerOf default: the game's ids are those of the players @returns the rows of players that have changed
 */
export async function saveRuns(
  tx: Database,
  runs: readonly RunToSave[],
  options: Omit<SaveOptions, 'killsKeptMs' | 'playerOf'>,
  playerOf: SaveOptions['playerOf'] = Number,
) {
  const changes = [];
  for (const run of runs) {
    const saved = await saveRun(tx, run, { killsKeptMs: Number.POSITIVE_INFINITY, ...options, playerOf });
    changes.push(...saved.changes);
  }
  return { changes };
}
