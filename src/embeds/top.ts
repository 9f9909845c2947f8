import type { APIEmbed } from 'discord-api-types/v10';
import type { Freshness } from '../api/client-types.ts';
import { leastKillsForRatio, signOf, unitOf, type BoardMetric, type PeriodKind } from '../api/log-metrics.ts';
import type { PlayerReference } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { colours } from './branding.ts';
import { formatMetric } from './format.ts';
import { embedLimits, textLimits } from './limits.ts';
import { pageNote, playerName, staleNote } from './shared-texts.ts';
import { code, escaped, facts, lines, linesWithin, plain, small, unbroken } from './text.ts';
import { date, relative } from './timestamps.ts';

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

/** Which leaderboard. */
export interface Board {
  metric: BoardMetric;
  /** Null: over all time. */
  period: Period | null;
  /** Kills with this weapon only; null: with any. */
  weapon: string | null;
}

/** How many ranks a player went up since a week ago (down: below 0), or `new` on the board. Null: unknown. */
export type RankChange = number | 'new' | null;

/** One key for one player in several answers. Players without identifiers may share it. */
export function playerKey({ steamId64, battleyeGuid, cftoolsId, name }: PlayerReference): string {
  return JSON.stringify([steamId64, battleyeGuid, cftoolsId, name]);
}

export interface BoardRow {
  /** Equal figures share a rank. */
  rank: number;
  player: PlayerReference;
  /** The store's ref of the player, since several players may share a name; left out: the service's row has none. */
  ref?: string;
  value: number;
  change: RankChange;
}

export interface BoardRows {
  /** The greatest first. */
  rows: readonly BoardRow[];
  /** Since when the bot counts it; null: the service counts it, or what is counted has no known start. */
  since: number | null;
  /** The first three of the period before. */
  previous: readonly BoardRow[];
}

/** The rank of the player that the asker is linked to. */
export interface OwnRank {
  name: string | null;
  /** Null: the player has none, as on consoles. */
  identifier: string | null;
  /** False: the member only says so. */
  isProven: boolean;
  /** Null: not among the rows that were read. */
  rank: number | null;
  /** Null: no source reports this metric for the player, or it could not be read. */
  value: number | null;
}

/** A page of a leaderboard. */
interface BoardView extends BoardRows, Freshness {
  board: Board;
  /** Rows on all pages. */
  total: number;
  /** Counted from 1. */
  page: number;
  pages: number;
  own: OwnRank | null;
  /** When the message updated itself; null: it does not. */
  updatedAt: number | null;
}

const nameLimit = 60;

const medals = ['🥇', '🥈', '🥉'] as const;

/** Boards of deaths have none: being first there is no achievement. */
export const hasMedals = (metric: BoardMetric): boolean => metric !== 'DEATHS' && metric !== 'SUICIDES';

/** Undefined: the rank has none. */
export const medalOf = (metric: BoardMetric, rank: number): string | undefined =>
  hasMedals(metric) ? medals[rank - 1] : undefined;

/** A name such as `Season 3`, in one of the bot's languages. */
const saysSeason = /season|saison|temporada|сезон|sezon/iu;

/** As plain text. */
export function periodName(language: Language, period: Pick<Period, 'kind' | 'name'>): string {
  if (period.kind !== 'season') return language.t(`top.period.${period.kind}`);
  const season = plain(period.name ?? '', nameLimit);
  return saysSeason.test(season) ? season : language.t('top.season', { season });
}

/** As plain text. */
export function boardName(language: Language, { metric, period, weapon }: Board): string {
  if (weapon !== null) return language.t('top.killsWith', { weapon: plain(weapon, nameLimit) });
  const name = language.t(`metric.${metric}`);
  return period === null ? name : `${name} · ${periodName(language, period)}`;
}

export function formatValue(language: Language, metric: BoardMetric, value: number): string {
  const unit = unitOf(metric);
  return unit === 'ratio' ? language.number(value, 2) : formatMetric(language, unit, value);
}

/** An arrow with the ranks, or nothing where the rank is the same. */
function changeText(language: Language, change: RankChange): string {
  if (change === 'new') return '\u00a0🆕';
  if (!change) return '';
  return `\u00a0${change > 0 ? '▲' : '▼'}${language.number(Math.abs(change))}`;
}

/** As wide as a digit. */
const figureSpace = '\u2007';

/** Medal or rank, name and figure. A line breaks before the figure, if at all. */
function rowText(language: Language, { metric }: Board, { rank, player, value }: BoardRow): string {
  // Without the backslash, Discord would make a list of it.
  const number = `${String(rank).padStart(2, figureSpace)}\\.`;
  const mark = medalOf(metric, rank) ?? number;
  const name = unbroken(playerName(language, player.name));
  return `${mark}\u00a0${name} **${unbroken(formatValue(language, metric, value))}**`;
}

/** How the rank of each row has changed. Where most rows are new, the board itself is, and the sign says nothing. */
export function changeTexts(language: Language, rows: readonly Pick<BoardRow, 'change'>[]): string[] {
  const isNewBoard = 2 * rows.filter(({ change }) => change === 'new').length > rows.length;
  return rows.map(({ change }) => changeText(language, isNewBoard && change === 'new' ? null : change));
}

/** A row is one line on a phone: medal or rank, name, value. Equal values share a rank and its medal. */
export function boardEmbed(language: Language, view: BoardView): APIEmbed {
  const { board, rows, total, page, pages, own, stale } = view;
  const name = escaped(boardName(language, board), embedLimits.title - 10);
  const title = `${signOf(board.metric)} ${board.weapon === null ? name : name.replaceAll('-', '\u2011')}`;
  if (rows.length === 0) {
    const isOfPart = board.period !== null || board.weapon !== null;
    const description = lines(
      `**${language.t('top.empty')}**`,
      !isOfPart && language.t('top.emptyNext'),
      notesOf(language, view),
    );
    return { title, description, color: colours.unknown };
  }
  const changes = changeTexts(language, rows);
  const texts = rows.map((row, index) => `${rowText(language, board, row)}${changes[index]}`);
  const footer = language.t('top.footer', { count: total });
  return {
    title,
    description: lines(
      linesWithin(language, texts, embedLimits.description - 500),
      own && ['', ownText(language, own, view)],
      changes.some((text) => text !== '') && small(language.t('top.changes')),
      notesOf(language, view),
    ),
    footer: { text: facts(footer, pages > 1 && pageNote(language, page, pages)) },
    ...(stale && { color: colours.warning }),
  };
}

function ownText(language: Language, own: OwnRank, { board, total }: BoardView): string {
  const { name, identifier, isProven, rank } = own;
  const known = escaped(name ?? '', textLimits.name) || (identifier === null ? '?' : code(identifier));
  const player = isProven ? known : `${known} (${language.t('link.claimed')})`;
  if (own.value === null) return language.t('top.ownNone', { player });
  const value = formatValue(language, board.metric, own.value);
  if (rank === null) return language.t('top.ownBeyond', { player, value, count: total });
  return language.t('top.ownRank', { player, value, rank: language.number(rank) });
}

/** The small print below the rows: what is counted, since when, and the age of the answer. */
function notesOf(language: Language, view: BoardView): string | null {
  const { board, since, updatedAt } = view;
  const until = board.period?.until ?? null;
  const counted =
    since === null
      ? null
      : until === null
        ? language.t('top.logsCount', { when: date(since) })
        : language.t('top.logsCounted', { from: date(since), until: date(until) });
  const notes = [
    previousText(language, view),
    board.metric === 'KD' ? language.t('top.leastKills', { count: leastKillsForRatio }) : null,
    counted,
    updatedAt === null ? null : language.t('post.updated', { when: relative(updatedAt) }),
  ];
  return lines(notes.filter((note) => note !== null).map(small), staleNote(language, view)) || null;
}

/** Who was ahead in the period before, which a new one would hide. */
function previousText(language: Language, { board, previous }: BoardView): string | null {
  const { period } = board;
  if (!period?.previous || previous.length === 0) return null;
  const before =
    period.kind === 'season'
      ? periodName(language, { kind: 'season', name: period.previous.name })
      : language.t(`top.before.${period.kind}`);
  const first = facts(previous.map((row) => unbroken(rowText(language, board, row))));
  return language.t('labelled', { label: escaped(before, nameLimit + 40), value: first });
}
