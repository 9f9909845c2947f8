import type { VNode } from 'preact';
import { signOf } from '../../api/log-metrics.ts';
import type { ServerHistory } from '../../embeds/chart/series.ts';
import { formatValue } from '../../embeds/top.ts';
import { readBoard, type ListedBoard } from '../board-players.ts';
import { Sparkline } from '../parts/chart.tsx';
import { Cards, PlayerLink, Rank, Section } from '../parts/elements.tsx';
import { Hero } from '../parts/hero.tsx';
import { page } from '../parts/layout.tsx';
import { ServerCard } from '../parts/server-card.tsx';
import { boardPath } from '../paths.ts';
import { dayMs, dayStepMs } from '../preview/picture.ts';
import { previewOf } from '../preview/link-preview.tsx';
import { readBoards, readServers, type ShownServer } from '../project.ts';
import type { ProjectRoute } from '../route.ts';
import { href, type View } from '../view.ts';

/** Curves of more servers would take longer than the rest of the page. */
const mostCurves = 12;

/** The servers of a project, and the first places of the leaderboards that its owner chose. */
export const home: ProjectRoute = {
  path: '',
  async make(context) {
    const { project, view, history } = context;
    const [servers, all] = await Promise.all([
      readServers(project),
      view.players ? readBoards(project) : null,
    ]);
    const days = await Promise.all(
      servers
        .slice(0, mostCurves)
        .map(({ server }) => history(server.id, view.now - dayMs, view.now, dayStepMs)),
    );
    const shown = (all === null ? [] : view.boards).map((metric) =>
      readBoard(context, all ?? [], { metric, period: null }),
    );
    const boards = (await Promise.all(shown)).filter(({ rows }) => rows.length > 0);
    return page({
      view,
      title: null,
      head: await previewOf(context, servers),
      children: (
        <>
          <Hero view={view} servers={servers} />
          <Home view={view} servers={servers} days={days} boards={boards} />
        </>
      ),
    });
  },
};

interface HomeProps {
  view: View;
  servers: readonly ShownServer[];
  /** The last day of each server. */
  days: readonly ServerHistory[];
  boards: readonly ListedBoard[];
}

function Home({ view, servers, days, boards }: HomeProps): VNode {
  const { t } = view.language;
  const [first] = boards;
  return (
    <>
      <Section id="servers" title={t('site.servers')}>
        {servers.length === 0 && <p>{t('failure.noServers')}</p>}
        <Cards>
          {servers.map((shown, index) => (
            <ServerCard view={view} shown={shown} heading="h3" linked>
              {days[index] && <Sparkline view={view} history={days[index]} />}
            </ServerCard>
          ))}
        </Cards>
      </Section>
      {first !== undefined && (
        <Section id="boards" title={t('site.leaderboards')}>
          <Cards>
            {boards.map((board) => (
              <Best view={view} board={board} />
            ))}
          </Cards>
          <p class="notes">
            <a href={href(view, boardPath(first.metric))}>{t('site.allBoards')}</a>
          </p>
        </Section>
      )}
    </>
  );
}

const shownRows = 5;

/** The first places of a leaderboard. */
function Best({ view, board: { metric, rows } }: { view: View; board: ListedBoard }): VNode {
  const { language } = view;
  return (
    <article class="card board">
      <h3>
        <span aria-hidden="true">{signOf(metric)}</span>{' '}
        <a href={href(view, boardPath(metric))}>{language.t(`metric.${metric}`)}</a>
      </h3>
      <ol>
        {rows.slice(0, shownRows).map((row) => (
          <li value={row.rank}>
            <span class="rank">
              <Rank view={view} metric={metric} rank={row.rank} />
            </span>
            <PlayerLink view={view} row={row} />
            <span class="value">{formatValue(language, metric, row.value)}</span>
          </li>
        ))}
      </ol>
    </article>
  );
}
