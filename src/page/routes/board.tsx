import { metrics } from '../../api/metrics.ts';
import { boardPlayers } from '../board-players.ts';
import { boardNamed } from '../paths.ts';
import { readBoards } from '../project.ts';
import type { ProjectRoute } from '../route.ts';
import { BoardPage } from '../views/board.tsx';
import { page } from '../views/layout.tsx';

/** A leaderboard, which is empty until somebody is on it. */
export const board: ProjectRoute = {
  path: '/boards/:board',
  async make({ project, view, params, secret }) {
    const metric = boardNamed(params['board']);
    if (metric === undefined || !view.players) return null;
    const boards = await readBoards(project);
    if (boards === null) return null;
    const found = boards.find((one) => one.metric === metric) ?? {
      metric,
      unit: metrics[metric].unit,
      rows: [],
    };
    const players = boardPlayers(secret, project.slug, boards);
    return page({
      view,
      title: view.language.t(`metric.${metric}`),
      children: <BoardPage view={view} board={found} players={players} />,
    });
  },
};
