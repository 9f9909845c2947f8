import type { APIEmbed } from 'discord-api-types/v10';
import { metrics } from '../api/metrics.ts';
import type { Leaderboard, LeaderboardRow, PlayerReference } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { accentOf, authorOf, colours, type Branding } from './branding.ts';
import { formatMetric } from './format.ts';
import { embedLimits, textLimits } from './limits.ts';
import { pageNote, playerName, staleNote } from './notes.ts';
import { code, escaped, linesWithin, unbroken } from './text.ts';
import { relative } from './timestamps.ts';

/** The rank of the player that the asker is linked to. */
export interface OwnRank {
  name: string | null;
  /** Null: the player has none, as on consoles. */
  identifier: string | null;
  /** False: the member only says so. */
  isProven: boolean;
  /** Null: not among the rows that the service returns. */
  rank: number | null;
  /** Null: no source reports this metric for the player, or it could not be read. */
  value: number | null;
}

/** How many places a player went up since a week ago (down: below 0), or `new` on the board. Null: unknown. */
export type RankChange = number | 'new' | null;

/** Rank changes by `playerKey`. */
export type RankChanges = ReadonlyMap<string, RankChange>;

/** One key for one player in several answers. Players without identifiers may share it. */
export function playerKey({ steamId64, battleyeGuid, cftoolsId, name }: PlayerReference): string {
  return JSON.stringify([steamId64, battleyeGuid, cftoolsId, name]);
}

interface TopView {
  /** The rows of this page only. */
  board: Leaderboard;
  /** Counted from 1. */
  page?: number;
  pages?: number;
  /** Rows on all pages. */
  total?: number;
  own?: OwnRank | null;
  changes?: RankChanges | undefined;
  /** The message updates automatically and shows when it was updated. */
  updating?: boolean;
  receivedAt: number;
  stale: boolean;
}

export const medals: ReadonlyMap<number, string> = new Map([
  [1, '🥇'],
  [2, '🥈'],
  [3, '🥉'],
]);

/** A medal, or the rank. */
export function medalOf(rank: number): string {
  return medals.get(rank) ?? `\`${String(rank).padStart(2)}.\``;
}

/** A page of a leaderboard, whoever counted it. */
export interface BoardPage {
  title: string;
  rows: readonly (Pick<LeaderboardRow, 'rank' | 'player' | 'value'> & { change?: RankChange | undefined })[];
  format: (value: number) => string;
  /** Rows on all pages. */
  total: number;
  /** Counted from 1. */
  page: number;
  pages: number;
  own: OwnRank | null;
  /** Lines below the rows. */
  notes: readonly string[];
  stale: boolean;
}

/** An arrow with the places, or nothing where the rank is the same. */
function changeText(language: Language, change: RankChange | undefined): string {
  if (change === 'new') return '\u00a0🆕';
  if (!change) return '';
  return `\u00a0${change > 0 ? '▲' : '▼'}${language.number(Math.abs(change))}`;
}

/** A row is one line on a phone: medal or rank, name, value. Equal values share a rank and its medal. */
export function boardEmbed(
  language: Language,
  branding: Branding | null,
  { title, rows, format, total, page, pages, own, notes, stale }: BoardPage,
): APIEmbed {
  if (rows.length === 0) {
    const description = [`**${language.t('top.empty')}**`, ...notes].join('\n');
    return { ...authorOf(branding), title, description, color: colours.unknown };
  }
  // Where most are new, the board itself is, and the sign says nothing.
  const isNewBoard = 2 * rows.filter(({ change }) => change === 'new').length > rows.length;
  const changes = rows.map(({ change }) =>
    changeText(language, isNewBoard && change === 'new' ? null : change),
  );
  const texts = rows.map(
    ({ rank, player: { name }, value }, i) =>
      `${medalOf(rank)} ${playerName(language, name)} · **${unbroken(format(value))}**${changes[i]}`,
  );
  const legend = changes.some((text) => text !== '') ? [`-# ${language.t('top.changes')}`] : [];
  const list = linesWithin(language, texts, embedLimits.description - 500);
  const places = language.t('top.footer', { count: total });
  return {
    ...authorOf(branding),
    title,
    description: [
      list,
      ...(own === null ? [] : ['', ownText(language, own, total, format)]),
      ...legend,
      ...notes,
    ].join('\n'),
    color: stale ? colours.warning : accentOf(branding, colours.gold),
    footer: { text: pages > 1 ? `${places} · ${pageNote(language, page, pages)}` : places },
  };
}

function ownText(
  language: Language,
  { name, identifier, isProven, rank, value: figure }: OwnRank,
  total: number,
  format: BoardPage['format'],
): string {
  const known = escaped(name ?? '', textLimits.name) || (identifier === null ? '?' : code(identifier));
  const player = isProven ? known : `${known} (${language.t('link.claimed')})`;
  if (figure === null) return language.t('top.ownNone', { player });
  const value = format(figure);
  if (rank === null) return language.t('top.ownBeyond', { player, value, count: total });
  return language.t('top.ownRank', { player, value, rank: language.number(rank) });
}

/** A leaderboard of the service, or a page of it. */
export function topEmbed(language: Language, branding: Branding | null, view: TopView): APIEmbed {
  const { board, own = null, page = 1, pages = 1, total = board.rows.length } = view;
  const metric = language.t(`metric.${board.metric}`);
  return boardEmbed(language, branding, {
    title: `${metrics[board.metric].sign} ${language.t('top.title', { metric })}`,
    rows: board.rows.map((row) => ({ ...row, change: view.changes?.get(playerKey(row.player)) })),
    format: (value) => formatMetric(language, board.unit, value),
    total,
    page,
    pages,
    own: own && { ...own, value: own.value || null },
    notes: [
      ...(board.rows.length === 0 ? [language.t('top.emptyNext')] : []),
      ...staleNote(language, view),
      ...(view.updating ? [`-# ${language.t('post.updated', { when: relative(view.receivedAt) })}`] : []),
    ],
    stale: view.stale,
  });
}
