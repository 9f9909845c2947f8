import type { VNode } from 'preact';
import { metrics } from '../../api/metrics.ts';
import type { Leaderboard, Schedule, Server } from '../../api/resources.ts';
import { formatMetric } from '../../embeds/format.ts';
import { areAllUnknown, onlineOf } from '../../embeds/status.ts';
import { medals } from '../../embeds/top.ts';
import type { BoardPlayers } from '../board-players.ts';
import { boardPath, serverPath } from '../paths.ts';
import { href, type View } from '../view.ts';
import { JoinButton, Name, PlayerLink, ServerCard } from './parts.tsx';

interface ShownServer {
  server: Server;
  schedules: readonly Schedule[];
  canJoin: boolean;
}

interface HomeProps {
  view: View;
  servers: readonly ShownServer[];
  boards: readonly Leaderboard[];
  players: BoardPlayers;
}

const shownPlaces = 3;

export function Home({ view, servers, boards, players }: HomeProps): VNode {
  const { t, number } = view.language;
  const states = servers.map(({ server }) => server);
  const { count } = onlineOf(states);
  return (
    <>
      {areAllUnknown(states) ? (
        <h1 class="hidden">{t('site.home')}</h1>
      ) : (
        <h1 class="sum">
          <strong>{number(count)}</strong> <span>{t('site.online', { count })}</span>
        </h1>
      )}
      <section aria-labelledby="servers">
        <h2 id="servers">{t('site.servers')}</h2>
        {servers.length === 0 && <p>{t('failure.noServers')}</p>}
        <ul class="cards">
          {servers.map((card) => (
            <li>
              <Card view={view} {...card} />
            </li>
          ))}
        </ul>
      </section>
      {boards.length > 0 && (
        <section aria-labelledby="boards">
          <h2 id="boards">{t('site.leaderboards')}</h2>
          <ul class="cards boards">
            {boards.map((board) => (
              <li>
                <Best view={view} board={board} players={players} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function Card({ view, server, schedules, canJoin }: { view: View } & ShownServer): VNode {
  const heading = (
    <h3>
      <a href={href(view, serverPath(server.id))}>
        <Name text={server.name} otherwise={server.id} />
      </a>
    </h3>
  );
  return (
    <ServerCard view={view} server={server} schedules={schedules} heading={heading}>
      {canJoin && <JoinButton view={view} server={server} />}
    </ServerCard>
  );
}

/** The first places of a leaderboard. */
function Best({ view, board, players }: { view: View; board: Leaderboard; players: BoardPlayers }): VNode {
  const { language } = view;
  const { t } = language;
  return (
    <article class="card board">
      <h3>
        <span aria-hidden="true">{metrics[board.metric].sign}</span>{' '}
        <a href={href(view, boardPath(board.metric))}>{t(`metric.${board.metric}`)}</a>
      </h3>
      <ol>
        {board.rows.slice(0, shownPlaces).map((row) => (
          <li value={row.rank}>
            <span class="place">{medals.get(row.rank) ?? language.number(row.rank)}</span>
            <PlayerLink view={view} row={row} players={players} />
            <span class="value">{formatMetric(language, board.unit, row.value)}</span>
          </li>
        ))}
      </ol>
    </article>
  );
}
