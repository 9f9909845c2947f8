import type { VNode } from 'preact';
import { metricCodes, metrics } from '../../api/metrics.ts';
import type { Player } from '../../api/resources.ts';
import { formatMetric } from '../../embeds/format.ts';
import type { BoardPlayer } from '../board-players.ts';
import { boardPath } from '../paths.ts';
import { dateOnly } from '../times.ts';
import { href, type View } from '../view.ts';
import { Crumb, Name } from './parts.tsx';

interface PlayerProps {
  view: View;
  /** What the leaderboards say. */
  places: BoardPlayer['places'];
  name: string | null;
  /** Null: the store does not know which player of this name is meant. */
  player: Player | null;
}

/** A player with all figures that are known, and the places on leaderboards. */
export function PlayerPage({ view, places, name, player }: PlayerProps): VNode {
  const { language } = view;
  const { t, number } = language;
  const figures = metricCodes.flatMap((metric) => {
    const place = places.find((one) => one.metric === metric);
    const value = place?.value ?? player?.stats[metrics[metric].stat] ?? null;
    return value === null ? [] : [{ metric, value, rank: place?.rank ?? null }];
  });
  const lastSeen = player?.lastSeenAt ?? null;
  const lastDay = lastSeen === null ? '' : dateOnly(language, Date.parse(lastSeen));
  return (
    <>
      <Crumb view={view} />
      <h1>
        <Name text={name} otherwise={t('player.nameless')} />
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
