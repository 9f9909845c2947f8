import type { ReadDatabase } from '../../src/server/store/engine/database.ts';
import { readPeriodFigures } from '../../src/server/store/repositories/players/period-boards.ts';
import {
  countNewcomers,
  readDeadliestWeapon,
  readLongestKills,
  readShownNames,
} from '../../src/server/store/repositories/players/recap.ts';
import { readPeak } from '../../src/server/store/repositories/projects/history.ts';

/** Reads all that a recap of Northwood's first server has. Epoch milliseconds. */
export async function readWeek(
  db: ReadDatabase['db'],
  projectId: string,
  week: { from: number; until: number },
): Promise<void> {
  const scope = { projectId, serverIds: ['northwood-1'], ...week };
  for (const metric of ['PLAYER_KILLS', 'PLAYTIME'] as const)
    await readPeriodFigures(db, projectId, { ...scope, metric }, 20);
  await readLongestKills(db, scope, 20);
  await readDeadliestWeapon(db, scope);
  await readPeak(db, scope);
  await countNewcomers(db, scope);
  await readShownNames(db, [1, 2, 3], week.until);
}
