import type { Community } from '../commands/ports/community.ts';
import type { Reader } from '../server/store/engine/database.ts';
import { readPlayedDays, readRanks } from '../server/store/repositories/players/standing.ts';
import { openStored } from './stored-project.ts';
import { type ConfiguredProject, openProject } from '../config/config-index.ts';
import { findPlayerId } from './stored-players.ts';

const mostRanks = 100;
const shownDays = 30;

/** How the players of a project stand, out of its store. */
export function createPlayerStanding(
  configured: Pick<ConfiguredProject, 'project'>,
  db: Reader,
  now: () => number,
): Community['standing'] {
  return async (who) => {
    const opened = await openStored(db, configured, 'getPlayer');
    if (opened === null) return null;
    const { project, projectId } = opened;
    const playerId = await findPlayerId(db, projectId, who);
    if (playerId === null) return null;
    const mayRank = openProject(configured, 'listLeaderboards') !== null;
    const [ranks, activity] = await Promise.all([
      mayRank ? readRanks(db, projectId, playerId, mostRanks) : {},
      readPlayedDays(db, projectId, playerId, {
        days: shownDays,
        zone: project.servers[0]?.timezone ?? 'UTC',
        now: now(),
      }),
    ]);
    return { playerId, ranks, activity };
  };
}
