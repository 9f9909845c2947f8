import type { BoardMetric } from '../../api/log-metrics.ts';
import { metricCodes, metrics, type MetricCode } from '../../api/metrics.ts';
import type { Player } from '../../api/resources.ts';
import type { Language } from '../../locales/language.ts';
import type { Branding } from '../branding.ts';
import { formatMetric } from '../format.ts';
import type { PlayerKills } from '../player-kills.ts';
import { facts, plain } from '../text.ts';
import { hasMedals } from '../top.ts';

/** What is known of a player in a project, beyond the player's own figures. */
export interface Standing {
  /** On the leaderboards where the player is among the first hundred. */
  ranks: Readonly<Partial<Record<MetricCode, number>>>;
  /** Seconds played on each of the last 30 days, today last; null: no log says. */
  activity: readonly number[] | null;
}

export interface PlayerCard extends Standing {
  player: Pick<Player, 'name' | 'stats'>;
  branding: Pick<Branding, 'name'> | null;
  /** What the kills that are kept say; null: none are. */
  kills: Pick<PlayerKills, 'favouriteWeapon'> | null;
}

export interface Tile {
  code: TileCode;
  label: string;
  value: string;
  /** Null: not among the first hundred, or the board has no medals. */
  rank: number | null;
}

/** All that a card says, as text in one language. Names are as they came. */
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

/** A few minutes are no full day, even if they were the longest. */
export const leastFullDaySeconds = 2 * 3600;

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

/** Kills per hour of a shorter time say nothing. */
const leastPlaySeconds = 3600;

/** Null: unknown, or zero of what only some players have. */
function valueOf(
  language: Language,
  { player: { stats }, kills }: PlayerCard,
  code: (typeof order)[number],
): string | null {
  const { playerKills, deaths, totalPlaySeconds } = stats;
  if (code === 'favouriteWeapon') return plain(kills?.favouriteWeapon?.name ?? '', weaponLimit) || null;
  if (code === 'KD') return playerKills === null || !deaths ? null : language.number(playerKills / deaths, 2);
  if (code === 'perHour') {
    if (playerKills === null || (totalPlaySeconds ?? 0) < leastPlaySeconds) return null;
    return language.number(playerKills / ((totalPlaySeconds ?? 0) / 3600), 2);
  }
  const value = stats[metrics[code].stat];
  const isNothing = value === 0 && code !== 'PLAYER_KILLS' && code !== 'DEATHS';
  return value === null || isNothing ? null : formatMetric(language, metrics[code].unit, value);
}

export function cardContent(language: Language, card: PlayerCard): CardContent {
  const { player, branding, ranks, activity } = card;
  const tiles = order.flatMap((code): Tile[] => {
    const value = valueOf(language, card, code);
    if (value === null) return [];
    const label = language.t(isMetric(code) || code === 'KD' ? `metric.${code}` : `player.${code}`);
    const rank = isMetric(code) && hasMedals(code) ? (ranks[code] ?? null) : null;
    return [{ code, label, value, rank }];
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
      text: facts(
        language.t('card.daysPlayed', { count: played.length }),
        seconds > 0 && formatMetric(language, 'seconds', seconds),
      ),
      days: activity,
    },
  };
  return { ...content, alt: altOf(language, content) };
}

export const rankText = (rank: number): string => `#${rank}`;

function altOf(language: Language, content: Omit<CardContent, 'alt'>): string {
  const { community, name, tiles, note, activity } = content;
  const figures = tiles.map(({ label, value, rank }) =>
    language.t('labelled', { label, value: rank === null ? value : `${value} (${rankText(rank)})` }),
  );
  const played = activity && language.t('labelled', { label: activity.title, value: activity.text });
  const parts = [facts(name, community), figures.join('; ') || note, played];
  return plain(parts.filter((part) => part !== null).join('. '), altLimit);
}
