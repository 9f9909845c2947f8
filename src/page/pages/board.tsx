import type { VNode } from 'preact';
import {
  boardMetrics,
  isLogMetric,
  leastKillsForRatio,
  signOf,
  type BoardMetric,
} from '../../api/log-metrics.ts';
import { boardName, changeTexts, formatValue, periodName, playerKey, type Period } from '../../embeds/top.ts';
import { readBoard, type ListedBoard } from '../board-players.ts';
import { Crumb, PlayerLink, Rank, ShareBar, slot, Tabs, TimedText } from '../parts/elements.tsx';
import { page } from '../parts/layout.tsx';
import { boardNamed, boardPath } from '../paths.ts';
import { readBoards } from '../project.ts';
import type { ProjectRoute, RouteContext } from '../route.ts';
import { href, type View } from '../view.ts';

/** A leaderboard, over all time or of a period, which is empty until somebody is on it. */
export const boards: readonly ProjectRoute[] = ['/boards/:board', '/boards/:board/:period'].map((path) => ({
  path,
  make: makeBoard,
}));

interface BoardProps extends ListedBoard {
  view: View;
  /** What the tabs offer. */
  metrics: readonly BoardMetric[];
  periods: readonly Period[];
}

async function makeBoard(context: RouteContext) {
  const { project, view, params } = context;
  const metric = boardNamed(params['board']);
  if (metric === undefined || !view.players) return null;
  const [allTime, { periods }] = await Promise.all([readBoards(project), project.boards.offered()]);
  if (allTime === null) return null;
  const period = periods.find(({ id }) => id === params['period']) ?? null;
  if (params['period'] !== undefined && (period === null || !isLogMetric(metric))) return null;
  const board = await readBoard(context, allTime, { metric, period });
  // Rows of the contract's boards come without changes of rank; the others have theirs.
  const isOfContract = metric !== 'KD' && period === null;
  const changes = isOfContract
    ? await project.remember(['changes', metric], () => project.boards.changes(metric))
    : null;
  const rows = board.rows.map((row) => ({
    ...row,
    change: changes?.get(playerKey(row.player)) ?? row.change,
  }));
  const filled = allTime.filter((one) => one.rows.length > 0).map((one): BoardMetric => one.metric);
  const offered = filled.includes('PLAYER_KILLS') ? [metric, 'KD', ...filled] : [metric, ...filled];
  const metrics = boardMetrics.filter((one) => offered.includes(one));
  return page({
    view,
    title: boardName(view.language, { metric, period, weapon: null }),
    children: <BoardPage {...board} {...{ view, rows, metrics, periods }} />,
  });
}

function BoardPage(props: BoardProps): VNode {
  const { view, metric, period, rows, metrics, periods } = props;
  const { language } = view;
  const { t } = language;
  const offered = isLogMetric(metric) && periods.length > 0 ? [null, ...periods] : [];
  return (
    <>
      <Crumb view={view} />
      <h1>{boardName(language, { metric, period, weapon: null })}</h1>
      <Tabs
        label={t('site.leaderboards')}
        tabs={metrics.map((one) => [
          href(view, boardPath(one, isLogMetric(one) ? period?.id : undefined)),
          `${signOf(one)} ${t(`metric.${one}`)}`,
          one === metric,
        ])}
      />
      {offered.length > 0 && (
        <Tabs
          label={t('site.period')}
          tabs={offered.map((one) => [
            href(view, boardPath(metric, one?.id)),
            one === null ? t('top.allTime') : periodName(language, one),
            one?.id === period?.id,
          ])}
        />
      )}
      {rows.length === 0 ? <p class="notes">{t('top.empty')}</p> : <Rows {...props} />}
      <Notes {...props} />
    </>
  );
}

function Rows({ view, metric, rows }: BoardProps): VNode {
  const { language } = view;
  const { t } = language;
  const best = rows[0]?.value ?? 0;
  const changes = changeTexts(language, rows);
  return (
    <table class="card">
      <thead>
        <tr>
          <th scope="col">{t('site.rank')}</th>
          <th scope="col">{t('site.player')}</th>
          <th scope="col">{t('site.value')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr>
            <td class="rank">
              <Rank view={view} metric={metric} rank={row.rank} />
              <small>{changes[index]}</small>
            </td>
            <th scope="row">
              <PlayerLink view={view} row={row} />
              <ShareBar share={best > 0 ? row.value / best : 0} />
            </th>
            <td class="value">{formatValue(language, metric, row.value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Below the rows: what is counted, since when, and how old it is. */
function Notes({ view, metric, period, rows, since }: BoardProps): VNode {
  const { t } = view.language;
  const until = period?.until ?? null;
  const counted =
    until === null
      ? t('site.countedSince', { when: slot })
      : t('site.countedUntil', { from: slot, until: slot });
  // To the minute, so that a page whose rows are the same has the same bytes.
  const updated = Math.floor(view.now / 60_000) * 60_000;
  return (
    <ul class="notes dim">
      {changeTexts(view.language, rows).some((text) => text !== '') && <li>{t('top.changes')}</li>}
      {metric === 'KD' && <li>{t('top.leastKills', { count: leastKillsForRatio })}</li>}
      {since !== null && (
        <li>
          <TimedText view={view} text={counted} at={[since, until ?? 0]} form="full" />
        </li>
      )}
      <li>
        <TimedText view={view} text={t('post.updated', { when: slot })} at={[updated]} form="full" />
      </li>
    </ul>
  );
}
