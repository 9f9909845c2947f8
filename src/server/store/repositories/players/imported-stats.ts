import type { MetricCode } from '../../../../api/metrics.ts';
import type { Database } from '../../engine/database.ts';
import { upsert } from '../../engine/table-rows.ts';
import { figureColumns } from '../../engine/schema/metric-columns.ts';

/** Imported figures of one player; `entry` is the identifier under which they were imported. */
interface ImportedStats {
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
  const rows = imported.map(({ entry, playerId, figures }) => ({
    project_id: projectId,
    entry,
    player_id: playerId,
    ...figureColumns(figures),
  }));
  await upsert(tx, { table: 'imported_stats', key: ['project_id', 'entry'] }, rows);
  return imported.map(({ playerId }) => playerId);
}
