import type { BoardMetric } from '../../api/log-metrics.ts';
import { metricCodes, metrics, type MetricCode } from '../../api/metrics.ts';
import type { Player } from '../../api/resources.ts';
import type { Language } from '../../locales/language.ts';
import type { Branding } from '../branding.ts';
import { duration, formatMetric } from '../format.ts';
import { killsPerDeath, killsPerHour } from '../player-kills.ts';
import { plain } from '../text.ts';

/** How a player stands in a project, beyond the player's own figures. */
export interface Standing {
  /** On the leaderboards where the player is among the first hundred. */
  ranks: Readonly<Partial<Record<MetricCode, number>>>;
  /** Seconds played on each of the last 30 days, today last; null: no log says. */
  activity: readonly number[] | null;
}

export interface PlayerCard extends Standing {
  player: Pick<Player, 'name' | 'stats'>;
  branding: Branding | null;
  favouriteWeapon: string | null;
}

export interface Tile {
  label: string;
  value: string;
  /** Null: not among the first hundred, or there is no such leaderboard. */
  rank: number | null;
}

/** All that stands on a card, as text in one language. Names are as they came. */
export interface CardContent {
  community: string | null;
  name: string;
  tiles: readonly Tile[];
  /** Instead of figures, where there are none. */
  note: string | null;
  activity: { title: string; text: string; days: readonly number[] } | null;
  /** Every word of the card, for those who do not see it. */
  alt: string;
}

const weaponLimit = 60;
const altLimit = 1024;

type TileCode = BoardMetric | 'perHour' | 'favouriteWeapon';

const first: readonly TileCode[] = [
  'PLAYER_KILLS',
  'DEATHS',
  'KD',
  'LONGEST_KILL',
  'PLAYTIME',
  'LONGEST_LIFE',
  'favouriteWeapon',
  'perHour',
];
/** In the order of the card; what is unknown is left out. */
const order: readonly TileCode[] = [...first, ...metricCodes.filter((code) => !first.includes(code))];

const isMetric = (code: string): code is MetricCode => (metricCodes as readonly string[]).includes(code);

function valueOf(
  language: Language,
  { player: { stats }, favouriteWeapon }: PlayerCard,
  code: TileCode,
): string | null {
  if (isMetric(code)) {
    const value = stats[metrics[code].stat];
    const isNothing = value === 0 && code !== 'PLAYER_KILLS' && code !== 'DEATHS';
    return value === null || isNothing ? null : formatMetric(language, metrics[code].unit, value);
  }
  if (code === 'favouriteWeapon') return plain(favouriteWeapon ?? '', weaponLimit) || null;
  return code === 'KD' ? killsPerDeath(language, stats) : killsPerHour(language, stats);
}

export function cardContent(language: Language, card: PlayerCard): CardContent {
  const { player, branding, ranks, activity } = card;
  const tiles = order.flatMap((code): Tile[] => {
    const value = valueOf(language, card, code);
    if (value === null) return [];
    const label = language.t(isMetric(code) || code === 'KD' ? `metric.${code}` : `player.${code}`);
    return [{ label, value, rank: isMetric(code) ? (ranks[code] ?? null) : null }];
  });
  const played = activity?.filter((seconds) => seconds > 0) ?? [];
  const seconds = played.reduce((sum, one) => sum + one, 0);
  const content = {
    community: plain(branding?.name ?? '') || null,
    name: plain(player.name ?? '', 128) || language.t('player.nameless'),
    tiles,
    note: tiles.length === 0 ? language.t('player.noStats') : null,
    activity: activity && {
      title: language.t('card.lastDays', { count: activity.length }),
      text: [
        language.t('card.daysPlayed', { count: played.length }),
        ...(seconds === 0 ? [] : [duration(language, seconds)]),
      ].join(' · '),
      days: activity,
    },
  };
  return { ...content, alt: altOf(language, content) };
}

export const rankText = (rank: number): string => `#${rank}`;

function altOf(language: Language, content: Omit<CardContent, 'alt'>): string {
  const { community, name, tiles, note, activity } = content;
  const labelled = (label: string, value: string) => language.t('labelled', { label, value });
  const figures = tiles.map(({ label, value, rank }) =>
    labelled(label, rank === null ? value : `${value} (${rankText(rank)})`),
  );
  return plain(
    [
      [name, ...(community === null ? [] : [community])].join(' · '),
      figures.join('; ') || note,
      ...(activity === null ? [] : [labelled(activity.title, activity.text)]),
    ].join('. '),
    altLimit,
  );
}
