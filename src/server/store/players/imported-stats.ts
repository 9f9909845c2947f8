import { sql } from 'kysely';
import { type MetricCode, metricCodes } from '../../../api/metrics.ts';
import { eachChunk } from '../engine/each-chunk.ts';
import type { Database } from '../database.ts';
import { metricColumnList } from './metric-columns.ts';

/** Imported figures of one player; `entry` is the identifier under which they were imported. */
export interface ImportedStats {
  entry: string;
  playerId: number;
  figures: Partial<Record<MetricCode, number | null>>;
}

/**
 * Stores figures, replacing earlier ones of the same entries.
 * @returns the players whose statistics must be refreshed
 */
export async function saveImportedStats(
  tx: Database,
  projectId: string,
  imported: readonly ImportedStats[],
): Promise<number[]> {
  const rows = imported.map(({ entry, playerId, figures }) => [
    entry,
    playerId,
    ...metricCodes.map((code) => figures[code] ?? null),
  ]);
  await eachChunk(rows, async (chunk) => {
    await sql`
      INSERT OR REPLACE INTO imported_stats (project_id, entry, player_id, ${metricColumnList})
      SELECT ${projectId}, value ->> 0, value ->> 1, ${sql.join(metricCodes.map((_, i) => sql`value ->> ${sql.lit(i + 2)}`))}
      FROM json_each(${JSON.stringify(chunk)})
    `.execute(tx);
  });
  return imported.map(({ playerId }) => playerId);
}
