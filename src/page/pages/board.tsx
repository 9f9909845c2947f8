import type { VNode } from 'preact';
import { metrics } from '../../api/metrics.ts';
import type { Leaderboard } from '../../api/resources.ts';
import { formatMetric } from '../../embeds/format.ts';
import { medals } from '../../embeds/top.ts';
import { boardPlayers, type BoardPlayers } from '../board-players.ts';
import { Crumb, PlayerLink, ShareBar } from '../parts/elements.tsx';
import { page } from '../parts/layout.tsx';
import { boardNamed } from '../paths.ts';
import { readBoards } from '../project.ts';
import type { ProjectRoute } from '../route.ts';
import type { View } from '../view.ts';

/** A leaderboard, which is empty until somebody is on it. */
export const board: ProjectRoute = {
  path: '/boards/:board',
  async make({ project, view, params, secret }) {
    const metric = boardNamed(params['board']);
    if (metric === undefined || !view.players) return null;
    const boards = await readBoards(project);
    if (boards === null) return null;
    const { unit } = metrics[metric];
    const found = boards.find((one) => one.metric === metric) ?? { metric, unit, rows: [] };
    const players = boardPlayers(secret, project.slug, boards);
    return page({
      view,
      title: view.language.t(`metric.${metric}`),
      children: <Board view={view} board={found} players={players} />,
    });
  },
};

function Board({ view, board, players }: { view: View; board: Leaderboard; players: BoardPlayers }): VNode {
  const { language } = view;
  const { t, number } = language;
  const best = board.rows[0]?.value ?? 0;
  return (
    <>
      <Crumb view={view} />
      <h1>
        <span aria-hidden="true">{metrics[board.metric].sign}</span> {t(`metric.${board.metric}`)}
      </h1>
      {board.rows.length === 0 ? (
        <p>{t('top.empty')}</p>
      ) : (
        <table class="card">
          <thead>
            <tr>
              <th scope="col">{t('site.rank')}</th>
              <th scope="col">{t('site.player')}</th>
              <th scope="col" class="value">
                {t('site.value')}
              </th>
            </tr>
          </thead>
          <tbody>
            {board.rows.map((row) => (
              <tr>
                <td class="rank">{medals.get(row.rank) ?? number(row.rank)}</td>
                <th scope="row">
                  <PlayerLink view={view} row={row} players={players} />
                  <ShareBar share={best > 0 ? row.value / best : 0} />
                </th>
                <td class={`value ${board.unit}`}>{formatMetric(language, board.unit, row.value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}
