import type { Database } from '../../src/server/store/engine/database.ts';
import { readTogether, writeTogether } from '../../src/server/store/engine/send-together.ts';
import {
  RunsToSave,
  type RunToSave,
  type SaveOptions,
  storedRuns,
} from '../../src/server/store/repositories/logs/log-runs.ts';
import type { RunOutcome } from '../../src/server/store/repositories/logs/run-copies.ts';

/**
 * Stores copies of runs in a transaction.
 * @param playerOf default: the game's ids are those of the players
 * @returns what became of each run, in the order of `runs`, and the players whose figures have changed
 */
export async function saveRuns(
  tx: Database,
  runs: readonly RunToSave[],
  options: SaveOptions,
  playerOf: (gameId: string) => number = Number,
): Promise<{ outcomes: RunOutcome[]; changed: Set<number> }> {
  const [known, players] = await readTogether(tx, storedRuns(runs));
  const saved = new RunsToSave(runs, known, options);
  await writeTogether(tx, saved.runs());
  await writeTogether(
    tx,
    saved.content((_, gameId) => playerOf(gameId), players),
  );
  return {
    outcomes: saved.outcomes,
    changed: new Set([...saved.changed.values()].flatMap((ids) => [...ids])),
  };
}
