import { parseIdentifier } from '../../../api/identifiers.ts';
import { findPlayer } from '../../store/repositories/players/player-profiles.ts';
import { findQueryTarget } from '../../store/repositories/projects/servers.ts';
import { Problem } from '../problem.ts';
import type { Handler } from './handler.ts';
import { unknownServer } from './servers.ts';

/** A failed query is cached for seconds, so an earlier retry gets the same result. */
const retryAfterFailureSeconds = 5;

export const listOnlinePlayers: Handler<'listOnlinePlayers'> = async (
  { serverId },
  { application, db, online },
) => {
  const target = await findQueryTarget(db, application.project.id, serverId);
  if (target === null) throw unknownServer();
  if (target.queryPort === null) {
    throw new Problem('data_source_not_configured', 'This server has no query port configured.');
  }
  const answer = await online.read(target);
  if (!('failure' in answer)) return answer;
  throw new Problem(
    'live_source_unavailable',
    `The player list of this server is not available right now: ${answer.failure}.`,
    { retryAfter: retryAfterFailureSeconds },
  );
};

export const getPlayer: Handler<'getPlayer'> = async ({ identifier }, { application, db }) => {
  const parsed = parseIdentifier(identifier);
  const player = parsed === null ? null : await findPlayer(db, application.project.id, parsed);
  if (player === null)
    throw new Problem('not_found', 'No player with that identifier is known in this project.');
  return { player };
};
