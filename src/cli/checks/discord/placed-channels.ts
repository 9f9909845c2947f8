import { readPlacements, type StoredPlacement } from '../../../bot/channels/placement-store.ts';
import { hasPlayerRules, isForModerators } from '../../../bot/channels/watch/player-alert.ts';
import { readBotValues } from '../../../server/store/engine/small-values.ts';
import type { ReadStore } from '../../open-store.ts';
import type { WantedChannel } from './wanted-channels.ts';

/** What members placed. */
export async function placedIn(read: ReadStore): Promise<readonly StoredPlacement[]> {
  return await read(
    async (db) =>
      await readPlacements(
        async (name) => (await readBotValues(db, name)).find(({ key }) => key === name)?.value,
      ),
    [],
  );
}

const names: Record<StoredPlacement['content']['kind'], string> = {
  status: 'status post',
  leaderboard: 'leaderboard post',
  schedule: 'schedule post',
  alerts: 'alerts',
  feed: 'kill feed',
  recap: 'recap',
};

/** The channels in which members placed something. @param hasCharts as of `wantedChannels` */
export function placedChannels(placements: readonly StoredPlacement[], hasCharts: boolean): WantedChannel[] {
  return placements.map(({ channelId, content }) => ({
    key: `placed ${names[content.kind]}`,
    channelId,
    servers: content.kind === 'leaderboard' ? [] : content.servers,
    needsFiles:
      hasCharts && (content.kind === 'recap' || (content.kind === 'status' && content.chart !== 'none')),
    needsHistory:
      ['feed', 'recap'].includes(content.kind) ||
      (content.kind === 'alerts' && hasPlayerRules(content.rules)),
    isHomeOnly: true,
    isForModerators: content.kind === 'alerts' && isForModerators(content.rules),
    isPlaced: true,
    roleIds:
      content.kind === 'alerts' ? Object.values(content.rules).flatMap((rule) => rule?.roleId ?? []) : [],
  }));
}
