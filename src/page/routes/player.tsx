import { identifierOf } from '../../api/identifiers.ts';
import { boardPlayers } from '../board-players.ts';
import { readBoards, readPlayer } from '../project.ts';
import type { ProjectRoute } from '../route.ts';
import { nameOr } from '../view.ts';
import { page } from '../views/layout.tsx';
import { PlayerPage } from '../views/player.tsx';

/** A player who is on a leaderboard. */
export const player: ProjectRoute = {
  path: '/players/:player',
  async make({ project, view, params, secret }) {
    if (!view.players) return null;
    const boards = (await readBoards(project)) ?? [];
    const found = boardPlayers(secret, project.slug, boards).byKey.get(params['player'] ?? '');
    if (found === undefined) return null;
    const { name } = found.reference;
    const identifier = identifierOf(found.reference);
    const known = await (identifier === null
      ? project.playerNamed(name ?? '')
      : readPlayer(project, identifier.value));
    // Hidden or forgotten since the leaderboards were read.
    if (identifier !== null && known === null) return null;
    return page({
      view,
      title: nameOr(name, view.language.t('player.nameless')),
      children: <PlayerPage view={view} places={found.places} name={name} player={known} />,
    });
  },
};
