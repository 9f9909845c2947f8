import { readPlacements, type StoredPlacement } from '../../bot/channels/placement-store.ts';
import type { Environment } from '../../config/environment.ts';
import { type ReadDatabase, storeLocation, storeProblem } from '../../server/store/engine/database.ts';
import { readBotValues } from '../../server/store/engine/small-values.ts';
import { readExisting } from '../open-store.ts';
import type { WantedChannel } from '../check-config/wanted-channels.ts';

/** What members placed; nothing where the store is new, or cannot be read, of which its own check tells. */
export async function placedIn(environment: Environment): Promise<readonly StoredPlacement[]> {
  const read = async (db: ReadDatabase['db']): Promise<readonly StoredPlacement[]> =>
    await readPlacements(
      async (name) => (await readBotValues(db, name)).find(({ key }) => key === name)?.value,
    );
  try {
    return await readExisting(environment, read, []);
  } catch (error) {
    if (storeProblem(storeLocation(environment), error) !== null) return [];
    throw error;
  }
}

const names: Record<StoredPlacement['content']['kind'], string> = {
  status: 'status post',
  leaderboard: 'leaderboard post',
  schedule: 'schedule post',
  alerts: 'alerts',
  feed: 'kill feed',
};

/** The channels in which members placed something. @param hasCharts as of `wantedChannels` */
export function placedChannels(placements: readonly StoredPlacement[], hasCharts: boolean): WantedChannel[] {
  return placements.map(({ channelId, content }) => ({
    key: `placed ${names[content.kind]}`,
    channelId,
    servers: content.kind === 'leaderboard' ? [] : content.servers,
    needsFiles: hasCharts && content.kind === 'status' && content.chart !== 'none',
    needsHistory: content.kind === 'feed',
    isHomeOnly: true,
    isPlaced: true,
    roleIds:
      content.kind === 'alerts' ? Object.values(content.rules).flatMap((rule) => rule?.roleId ?? []) : [],
  }));
}
