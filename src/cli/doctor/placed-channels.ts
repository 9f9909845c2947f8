import { readPlacements, type StoredPlacement } from '../../bot/placement-store.ts';
import type { Environment } from '../../config/environment.ts';
import { StoreError } from '../../server/store/engine/error.ts';
import { readStoredValue } from '../../server/store/engine/stored-value.ts';
import { isUnread } from '../open-store.ts';
import type { WantedChannel } from '../check-config/wanted-channels.ts';

/** What members placed; nothing where the store is new, or cannot be read, of which its own check tells. */
export async function placedIn({ storeUrl, dataFolder }: Environment): Promise<readonly StoredPlacement[]> {
  try {
    return await readPlacements(async (key) => await readStoredValue(storeUrl ?? dataFolder, 'bot', key));
  } catch (error) {
    if (error instanceof StoreError || isUnread(error)) return [];
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
