import type { Community } from '../commands/interfaces/community.ts';
import type { Config } from '../config/schema.ts';
import { terrainOf } from '../embeds/maps.ts';
import { heatSince, readHeat } from '../server/store/repositories/kills/heat-cells.ts';
import { countedRange } from './periods.ts';
import type { StoredProject } from './stored-project.ts';

const rememberMs = 60_000;
const minuteMs = 60_000;
const dayMinutes = 24 * 60;
/** A death that is younger would show where players are now. */
const leastMinutes = 5;

/** Where players of a project die, as its store has it. */
export function createHeatMap(stored: StoredProject): Community['heatMap'] {
  const { reader, config, now, remember } = stored;
  return async ({ serverId, map, kind, period, weapon, isFresh }) => {
    const opened = await stored.open('listLeaderboards');
    const server = opened?.project.servers.find(({ id, active }) => id === serverId && active);
    if (opened === null || server?.logs === undefined) return null;
    const { project, projectId } = opened;
    if (!project.killPositions) return 'off';
    const delayMinutes = isFresh ? feedMinutes(config(), serverId) : dayMinutes;
    // Deaths appear in batches: a map that changed with each death would show where each of them was.
    const batchMs = (isFresh ? leastMinutes : 60) * minuteMs;
    const hiddenFrom = Math.floor((now() - delayMinutes * minuteMs) / batchMs) * batchMs;
    const range = period === null ? { from: 0, until: null } : countedRange(period);
    // Positions from before a change of the map would be other places on this one.
    const from = Math.max(range.from, server.mapSince ?? 0);
    const until = range.until ?? Number.MAX_SAFE_INTEGER;
    const query = { serverId, kind, from, until, hiddenFrom, weapon };
    return await remember(['heat', query, map], rememberMs, async () => {
      const heat = await readHeat(reader, { projectId, ...query });
      const first = await heatSince(reader, serverId);
      const terrain = terrainOf(map ?? server.map ?? null);
      const since = first === null ? null : Math.max(first, from);
      return { ...heat, terrain, since, delayMinutes, imagePath: server.mapImage ?? null };
    });
  };
}

/** After how many minutes a death may be known: the longest delay of the config's kill feeds of the server. */
function feedMinutes({ discord }: Config, serverId: string): number {
  const feeds = (discord?.killFeeds ?? []).filter(({ servers }) => servers.includes(serverId));
  return Math.max(leastMinutes, ...feeds.map(({ delaySeconds }) => Math.ceil(delaySeconds / 60)));
}
