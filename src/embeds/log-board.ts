import type { APIEmbed } from 'discord-api-types/v10';
import {
  type BoardMetric,
  leastKillsForRatio,
  type LogMetric,
  type PeriodKind,
  signOf,
  unitOf,
} from '../api/log-metrics.ts';
import type { PlayerReference } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import type { Branding } from './branding.ts';
import { formatMetric } from './format.ts';
import { embedLimits } from './limits.ts';
import { playerName } from './notes.ts';
import { escaped, plain, unbroken } from './text.ts';
import { date, relative } from './timestamps.ts';
import { boardEmbed, medalOf, type BoardPage, type OwnRank, type RankChange } from './top.ts';

/** A stretch of time of which boards count. Moments are epoch milliseconds. */
export interface Period {
  /** In options and components. */
  id: string;
  kind: PeriodKind;
  /** Of the season. */
  name: string | null;
  from: number;
  /** Null: it still runs. */
  until: number | null;
  /** The one before it; null: none is known. */
  previous: Pick<Period, 'name' | 'from'> | null;
}

/** A leaderboard that the bot counts itself, from what logs report. */
export interface LogBoard {
  metric: LogMetric;
  /** Null: over all time. */
  period: Period | null;
  /** Kills with this weapon only. */
  weapon: string | null;
}

export interface LogBoardRow {
  /** Equal figures share a rank. */
  rank: number;
  player: PlayerReference;
  /** The store's ref of the player: several players may share a name. */
  ref: string;
  value: number;
  change: RankChange;
}

export interface LogBoardRows {
  /** The greatest first. */
  rows: readonly LogBoardRow[];
  /** Since when it is counted; null: what is counted has no known start. */
  since: number | null;
  /** The first three of the period before. */
  previous: readonly LogBoardRow[];
}

interface LogBoardView extends Pick<BoardPage, 'total' | 'page' | 'pages'>, LogBoardRows {
  board: LogBoard;
  own: OwnRank | null;
  /** When the message was updated automatically, epoch milliseconds. */
  updatedAt?: number;
}

const nameLimit = 60;

/** A name such as `Season 3`, in one of the bot's languages. */
const saysSeason = /season|saison|temporada|сезон|sezon/iu;

/** As plain text. */
export function periodName(language: Language, period: Pick<Period, 'kind' | 'name'>): string {
  if (period.kind === 'season') {
    const season = plain(period.name ?? '', nameLimit);
    return saysSeason.test(season) ? season : language.t('top.season', { season });
  }
  return language.t(`top.period.${period.kind}`);
}

export function logBoardName(language: Language, { metric, period, weapon }: LogBoard): string {
  if (weapon !== null) return language.t('top.killsWith', { weapon: plain(weapon, nameLimit) });
  const name = language.t(`metric.${metric}`);
  return period === null ? name : `${name} · ${periodName(language, period)}`;
}

function formatBoardValue(language: Language, metric: BoardMetric, value: number): string {
  const unit = unitOf(metric);
  return unit === 'ratio' ? language.number(value, 2) : formatMetric(language, unit, value);
}

/** A page of such a leaderboard. It says who counted it, and since when. */
export function logBoardEmbed(language: Language, branding: Branding | null, view: LogBoardView): APIEmbed {
  const { board, rows, own, updatedAt, total, page, pages } = view;
  const title = escaped(logBoardName(language, board), embedLimits.title - 10);
  return boardEmbed(language, branding, {
    total,
    page,
    pages,
    rows,
    own,
    title: `${signOf(board.metric)} ${title}`,
    format: (value) => formatBoardValue(language, board.metric, value),
    notes: [
      ...previousNote(language, view),
      ...(board.metric === 'KD' ? [`-# ${language.t('top.leastKills', { count: leastKillsForRatio })}`] : []),
      ...sinceNote(language, view),
      ...(updatedAt === undefined ? [] : [`-# ${language.t('post.updated', { when: relative(updatedAt) })}`]),
    ],
    stale: false,
  });
}

/** Who was ahead in the period before, which a new one would hide. */
function previousNote(language: Language, { board, previous }: LogBoardView): string[] {
  const { period, metric } = board;
  if (!period?.previous || previous.length === 0) return [];
  const before =
    period.kind === 'season'
      ? periodName(language, { kind: 'season', name: period.previous.name })
      : language.t(`top.before.${period.kind}`);
  const places = previous.map(
    ({ rank, player, value }) =>
      `${medalOf(rank)} ${playerName(language, player.name)} ${unbroken(formatBoardValue(language, metric, value))}`,
  );
  const label = escaped(before, nameLimit + 40);
  return [`-# ${language.t('labelled', { label, value: places.join(' · ') })}`];
}

function sinceNote(language: Language, { board, since }: LogBoardView): string[] {
  if (since === null) return [];
  const until = board.period?.until ?? null;
  if (until === null) return [`-# ${language.t('top.logsCount', { when: date(since) })}`];
  return [`-# ${language.t('top.logsCounted', { from: date(since), until: date(until) })}`];
}
