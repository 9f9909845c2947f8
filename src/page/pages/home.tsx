import type { VNode } from 'preact';
import { metrics } from '../../api/metrics.ts';
import type { Leaderboard } from '../../api/resources.ts';
import { formatMetric } from '../../embeds/format.ts';
import { areAllUnknown, onlineOf } from '../../embeds/status.ts';
import { medals } from '../../embeds/top.ts';
import { boardPlayers, type BoardPlayers } from '../board-players.ts';
import { Cards, Name, PlayerLink, Section } from '../parts/elements.tsx';
import { page } from '../parts/layout.tsx';
import { JoinButton, ServerCard } from '../parts/server-card.tsx';
import { boardPath, serverPath } from '../paths.ts';
import { previewOf } from '../preview/link-preview.tsx';
import { readBoards, readServers, type ShownServer } from '../project.ts';
import type { ProjectRoute } from '../route.ts';
import { href, type View } from '../view.ts';

/** The servers of a project, and the first places of its leaderboards. */
export const home: ProjectRoute = {
  path: '',
  async make(context) {
    const { project, view, secret } = context;
    const [servers, read] = await Promise.all([
      readServers(project),
      view.players ? readBoards(project) : null,
    ]);
    const boards = read ?? [];
    const players = boardPlayers(secret, project.slug, boards);
    return page({
      view,
      title: null,
      head: await previewOf(context, servers),
      children: <Home view={view} servers={servers} boards={boards} players={players} />,
    });
  },
};

interface HomeProps {
  view: View;
  servers: readonly ShownServer[];
  boards: readonly Leaderboard[];
  players: BoardPlayers;
}

function Home({ view, servers, boards, players }: HomeProps): VNode {
  const { t, number } = view.language;
  const states = servers.map(({ server }) => server);
  const { count } = onlineOf(states);
  const filled = boards.filter(({ rows }) => rows.length > 0);
  return (
    <>
      {areAllUnknown(states) ? (
        <h1 class="hidden">{t('site.home')}</h1>
      ) : (
        <h1 class="sum">
          <strong>{number(count)}</strong> <span>{t('site.online', { count })}</span>
        </h1>
      )}
      <Section id="servers" title={t('site.servers')}>
        {servers.length === 0 && <p>{t('failure.noServers')}</p>}
        <Cards>
          {servers.map((shown) => (
            <Card view={view} shown={shown} />
          ))}
        </Cards>
      </Section>
      {filled.length > 0 && (
        <Section id="boards" title={t('site.leaderboards')}>
          <Cards kind="boards">
            {filled.map((board) => (
              <Best view={view} board={board} players={players} />
            ))}
          </Cards>
        </Section>
      )}
    </>
  );
}

function Card({ view, shown }: { view: View; shown: ShownServer }): VNode {
  const { id, name } = shown.server;
  const heading = (
    <h3>
      <a href={href(view, serverPath(id))}>
        <Name text={name} otherwise={id} />
      </a>
    </h3>
  );
  return (
    <ServerCard view={view} shown={shown} heading={heading}>
      <JoinButton view={view} shown={shown} />
    </ServerCard>
  );
}

const shownRows = 3;

/** The first places of a leaderboard. */
function Best({ view, board, players }: { view: View; board: Leaderboard; players: BoardPlayers }): VNode {
  const { language } = view;
  return (
    <article class="card board">
      <h3>
        <span aria-hidden="true">{metrics[board.metric].sign}</span>{' '}
        <a href={href(view, boardPath(board.metric))}>{language.t(`metric.${board.metric}`)}</a>
      </h3>
      <ol>
        {board.rows.slice(0, shownRows).map((row) => (
          <li value={row.rank}>
            <span class="medal">{medals.get(row.rank) ?? language.number(row.rank)}</span>
            <PlayerLink view={view} row={row} players={players} />
            <span class="value">{formatMetric(language, board.unit, row.value)}</span>
          </li>
        ))}
      </ol>
    </article>
  );
}
