import { planIncludes } from '../api/access.ts';
import type { Identifier } from '../api/identifiers.ts';
import { operations } from '../api/operations.ts';
import type { Ports } from '../commands/ports.ts';
import type { ReadDatabase } from '../server/store/engine/database.ts';
import { findPlayerById, findProfile } from '../server/store/repositories/players/player-profiles.ts';
import { readPlayedDays, readRanks } from '../server/store/repositories/players/standing.ts';
import { findProjectId } from '../server/store/repositories/projects/projects.ts';
import type { ConfiguredProject } from './config-index.ts';
import { idOfRef, refOfId } from './ports.ts';

const mostRanks = 100;
const shownDays = 30;

/** How the players of a project stand, out of its store. */
export function createPlayerStanding(
  { project: projectOf }: Pick<ConfiguredProject, 'project'>,
  db: ReadDatabase['db'],
  now: () => number,
): NonNullable<Ports['standing']> {
  return async (who) => {
    const project = projectOf();
    if (project === undefined || project.suspended) return null;
    const { getPlayer, listLeaderboards } = operations;
    if (!planIncludes(project.plan, getPlayer.plan)) return null;
    const projectId = await findProjectId(db, project.slug);
    const playerId = await findPlayerId(db, projectId, who);
    if (playerId === null) return null;
    const mayRank = planIncludes(project.plan, listLeaderboards.plan);
    const [ranks, activity] = await Promise.all([
      mayRank ? readRanks(db, projectId, playerId, mostRanks) : {},
      readPlayedDays(db, projectId, playerId, {
        days: shownDays,
        zone: project.servers[0]?.timezone ?? 'UTC',
        now: now(),
      }),
    ]);
    return { ref: refOfId(playerId), ranks, activity };
  };
}

/** Null: there is no such player, or nobody may see the player. */
async function findPlayerId(
  db: ReadDatabase['db'],
  projectId: string,
  who: Identifier | { ref: string },
): Promise<number | null> {
  if (!('ref' in who)) return (await findProfile(db, projectId, who))?.id ?? null;
  const id = idOfRef(who.ref);
  return id === null || (await findPlayerById(db, projectId, id)) === null ? null : id;
}
