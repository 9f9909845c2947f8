import type { Community } from '../commands/interfaces/community.ts';
import type { LatestResults } from '../server/live/latest-results.ts';
import { createBoards } from './boards.ts';
import { createDeaths } from './deaths.ts';
import { createHeatMap } from './heat-maps.ts';
import { createPlayerLinks } from './player-links.ts';
import { createPlayerRights } from './player-rights.ts';
import { createWeekBefore } from './recaps.ts';
import { createRoleMembers } from './role-members.ts';
import { createServers } from './servers.ts';
import { createStoredPlayers } from './stored-players.ts';
import type { StoredProject } from './stored-project.ts';
import type { UnlistedPlayers } from './unlisted-players.ts';
import { createUnreadBanlists } from './unread-banlists.ts';
import { createArrivals, createWatchList } from './watch-list.ts';

interface CommunitySources {
  results: LatestResults;
  unlisted: UnlistedPlayers;
  /** Called when somebody was forgotten: unused parts of the store's file still contain what was deleted. */
  onForgotten: () => void;
}

/** What the bot knows of a project beyond the contract of `/v1`, out of its store. */
export function createCommunity(
  project: StoredProject,
  { results, unlisted, onForgotten }: CommunitySources,
): Community {
  return {
    hasStore: true,
    ...createServers(project, results, unlisted),
    players: createStoredPlayers(project),
    unreadBanlists: createUnreadBanlists(project),
    boards: createBoards(project),
    deaths: createDeaths(project),
    heatMap: createHeatMap(project),
    weekBefore: createWeekBefore(project),
    links: createPlayerLinks(project),
    rights: createPlayerRights(project, onForgotten),
    watch: createWatchList(project),
    arrivals: createArrivals(project),
    roleMembers: createRoleMembers(project),
  };
}
