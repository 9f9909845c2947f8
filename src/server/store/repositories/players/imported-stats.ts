import { type MetricCode, metricCodes } from '../../../../api/metrics.ts';
import type { Database } from '../../engine/database.ts';
import { upsert } from '../../engine/upsert.ts';
import { metricColumnTypes } from '../../engine/schema/metric-columns.ts';

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
  await upsert(
    tx,
    {
      table: 'imported_stats',
      fixed: { project_id: projectId },
      columns: { entry: 'text', player_id: 'integer', ...metricColumnTypes },
      key: ['project_id', 'entry'],
    },
    rows,
  );
  return imported.map(({ playerId }) => playerId);
}
