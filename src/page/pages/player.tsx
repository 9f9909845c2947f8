import type { VNode } from 'preact';
import { identifierOf } from '../../api/identifiers.ts';
import { metricCodes, metrics } from '../../api/metrics.ts';
import type { Player } from '../../api/resources.ts';
import { formatMetric } from '../../embeds/format.ts';
import { boardPlayers, type BoardPlayer } from '../board-players.ts';
import { Crumb, Name } from '../parts/elements.tsx';
import { page } from '../parts/layout.tsx';
import { boardPath } from '../paths.ts';
import { readBoards, readPlayer } from '../project.ts';
import type { ProjectRoute } from '../route.ts';
import { dateOnly } from '../times.ts';
import { href, nameOr, type View } from '../view.ts';

/** A player who is on a leaderboard, with all figures that are known. */
export const player: ProjectRoute = {
  path: '/players/:player',
  async make({ project, view, params, secret }) {
    if (!view.players) return null;
    const boards = (await readBoards(project)) ?? [];
    const listed = boardPlayers(secret, project.slug, boards).byKey.get(params['player'] ?? '');
    if (listed === undefined) return null;
    const { name } = listed.reference;
    const identifier = identifierOf(listed.reference);
    const known = await (identifier === null
      ? project.playerNamed(name ?? '')
      : readPlayer(project, identifier.value));
    // Hidden or forgotten since the leaderboards were read.
    if (identifier !== null && known === null) return null;
    return page({
      view,
      title: nameOr(name, view.language.t('player.nameless')),
      children: <PlayerPage view={view} listed={listed} player={known} />,
    });
  },
};

interface PlayerProps {
  view: View;
  listed: BoardPlayer;
  /** Null: the store does not know which player of this name is meant. */
  player: Player | null;
}

function PlayerPage({ view, listed: { ranks, reference }, player }: PlayerProps): VNode {
  const { language } = view;
  const { t, number } = language;
  const figures = metricCodes.flatMap((metric) => {
    const listedAs = ranks.find((one) => one.metric === metric);
    const value = listedAs?.value ?? player?.stats[metrics[metric].stat] ?? null;
    return value === null ? [] : [{ metric, value, rank: listedAs?.rank ?? null }];
  });
  const lastSeen = player?.lastSeenAt ?? null;
  const lastDay = lastSeen === null ? '' : dateOnly(language, Date.parse(lastSeen));
  return (
    <>
      <Crumb view={view} />
      <h1>
        <Name text={reference.name} otherwise={t('player.nameless')} />
      </h1>
      {lastSeen !== null && (
        <p class="dim" data-seen={lastSeen} data-day={lastDay}>
          {t('player.lastSeen', { when: lastDay })}
        </p>
      )}
      <table class="card">
        <thead>
          <tr>
            <th scope="col">{t('site.figure')}</th>
            <th scope="col" class="value">
              {t('site.value')}
            </th>
            <th scope="col" class="value">
              {t('site.rank')}
            </th>
          </tr>
        </thead>
        <tbody>
          {figures.map(({ metric, value, rank }) => (
            <tr>
              <th scope="row">
                <span aria-hidden="true">{metrics[metric].sign}</span>{' '}
                <a href={href(view, boardPath(metric))}>{t(`metric.${metric}`)}</a>
              </th>
              <td class={`value ${metrics[metric].unit}`}>
                {formatMetric(language, metrics[metric].unit, value)}
              </td>
              <td class="value">{rank === null ? '–' : number(rank)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
