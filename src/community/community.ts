import type { Logger } from 'pino';
import type { Community } from '../commands/ports/community.ts';
import { type ConfiguredProject, showsSeveralProjects } from '../config/config-index.ts';
import type { Clock } from '../process/clock.ts';
import type { LatestResults } from '../server/live/latest-results.ts';
import type { Database, Reader } from '../server/store/engine/database.ts';
import { createDeaths } from './deaths.ts';
import { createHeatMaps } from './heat-maps.ts';
import { createBoards } from './boards.ts';
import { createPlayerLinks } from './player-links.ts';
import { createPlayerRights } from './player-rights.ts';
import { createRecaps } from './recaps.ts';
import { createRoleMembers } from './role-members.ts';
import { createServers } from './servers.ts';
import { createStoredPlayers } from './stored-players.ts';
import type { UnlistedPlayers } from './unlisted-players.ts';
import { createUnreadBanlists } from './unread-banlists.ts';
import { createArrivals, createWatchList } from './watch-list.ts';

interface CommunitySources {
  reader: Reader;
  writer: Database;
  results: LatestResults;
  unlisted: UnlistedPlayers;
  clock: Clock;
  log: Logger;
  /** Called after data were deleted; unused parts of the store's file still contain them. */
  onForgotten: () => void;
}

/** What is known of a project beyond the contract, out of its store. */
export function createCommunity(
  project: ConfiguredProject,
  { reader, writer: db, results, unlisted, clock, log, onForgotten }: CommunitySources,
): Community {
  const { now } = clock;
  const mayForget = () => !showsSeveralProjects(project.config());
  return {
    hasStore: true,
    ...createServers(project, results, reader, unlisted, now),
    players: createStoredPlayers(project, reader, now),
    unreadBanlists: createUnreadBanlists(project, reader),
    boards: createBoards(project, reader, unlisted.revision, clock),
    deaths: createDeaths(project, reader),
    heatMaps: createHeatMaps(project, reader, unlisted.revision, clock),
    recaps: createRecaps(project, reader),
    links: createPlayerLinks(project, { reads: reader, db, log, now }),
    rights: createPlayerRights(project.slug, { db, log, mayForget, onForgotten }),
    watch: createWatchList(project, { db, log, now }),
    arrivals: createArrivals(project, reader, now),
    roleMembers: createRoleMembers(project, reader, clock),
  };
}
