import type { VNode } from 'preact';
import { signOf } from '../../api/log-metrics.ts';
import { type ServerHistory, shortNames } from '../../embeds/chart/series.ts';
import { areAllUnknown, onlineOf } from '../../embeds/status.ts';
import { formatValue } from '../../embeds/top.ts';
import { readBoard, type ListedBoard } from '../board-players.ts';
import { Sparkline } from '../parts/chart.tsx';
import { Cards, Name, PlayerLink, Rank, Section } from '../parts/elements.tsx';
import { DiscordButton, page } from '../parts/layout.tsx';
import { Band, Mark } from '../parts/mark.tsx';
import { ServerCard } from '../parts/server-card.tsx';
import { boardPath } from '../paths.ts';
import { dayMs, dayStepMs } from '../preview/picture.ts';
import { previewOf } from '../preview/link-preview.tsx';
import { readBoards, readShownServers, type ShownServer } from '../project.ts';
import type { ProjectRoute } from '../route.ts';
import { href, imageAddress, nameOr, type ProjectView } from '../view.ts';

/** More curves would take longer to read than the rest of the page. */
const mostCurves = 12;

/** The servers of a project, and the first places of the leaderboards that its owner chose. */
export const home: ProjectRoute = {
  path: '',
  async make(context) {
    const { project, view, history } = context;
    const [servers, allTime] = await Promise.all([
      readShownServers(project),
      view.players ? readBoards(project) : null,
    ]);
    const days = await Promise.all(
      servers
        .slice(0, mostCurves)
        .map(({ server }) => history(server.id, view.now - dayMs, view.now, dayStepMs)),
    );
    const chosen = allTime === null ? [] : view.boards;
    const read = await Promise.all(
      chosen.map((metric) => readBoard(context, allTime ?? [], { metric, period: null })),
    );
    const boards = read.filter(({ rows }) => rows.length > 0);
    return page({
      view,
      title: null,
      head: await previewOf(context, servers),
      children: <Home view={view} servers={servers} days={days} boards={boards} />,
    });
  },
};

interface HeroProps {
  view: ProjectView;
  servers: readonly ShownServer[];
}

interface HomeProps extends HeroProps {
  /** The last day of each of the first servers, in their order. */
  days: readonly ServerHistory[];
  boards: readonly ListedBoard[];
}

function Home({ view, servers, days, boards }: HomeProps): VNode {
  const { t } = view.language;
  const [first] = boards;
  return (
    <>
      <Hero view={view} servers={servers} />
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
              <BoardCard view={view} board={board} />
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

/** The head of a project's first page: who it is, how many are playing, and how to join them. */
function Hero({ view, servers }: HeroProps): VNode {
  const { project, language } = view;
  const states = servers.map(({ server }) => server);
  const { count } = onlineOf(states);
  const banner = imageAddress(view, 'banner');
  return (
    <div class="hero">
      {banner === null ? (
        <Band colour={project.accentColor} kind="banner" />
      ) : (
        <img class="banner" src={banner} alt="" />
      )}
      <div class="intro">
        <Mark view={view} />
        <h1>{project.title}</h1>
        {project.description !== null && <p class="about">{project.description}</p>}
        {!areAllUnknown(states) && (
          <p class="sum">
            <strong>{language.number(count)}</strong> {language.t('site.online', { count })}
          </p>
        )}
        <p class="actions">
          <JoinFullest view={view} servers={servers} />
          <DiscordButton view={view} />
        </p>
      </div>
    </div>
  );
}

/** A button that joins the server with most players among those with a free slot. It names the server if there are several. */
function JoinFullest({ view, servers }: HeroProps): VNode | null {
  const names = shortNames(servers.map(({ server }) => nameOr(server.name, server.id)));
  const [fullest] = servers
    .map(({ server, joinPath }, index) => ({ ...server, joinPath, name: names[index] ?? null }))
    .filter(({ status, joinPath }) => status === 'ONLINE' && joinPath !== null)
    .filter(({ players, maxPlayers }) => (players ?? 0) < (maxPlayers ?? Infinity))
    .toSorted((one, other) => (other.players ?? 0) - (one.players ?? 0));
  if (fullest?.joinPath == null) return null;
  return (
    <a class="button" href={fullest.joinPath} rel="nofollow">
      {view.language.t('button.join')}
      {servers.length > 1 && [' · ', <Name text={fullest.name} otherwise={fullest.id} />]}
    </a>
  );
}

const shownRows = 5;

/** The first places of a leaderboard. */
function BoardCard({ view, board: { metric, rows } }: { view: ProjectView; board: ListedBoard }): VNode {
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
