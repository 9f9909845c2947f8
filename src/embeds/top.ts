import type { APIEmbed } from 'discord-api-types/v10';
import { metrics } from '../api/metrics.ts';
import type { Leaderboard, LeaderboardRow } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { accentOf, authorOf, colours, type Branding } from './branding.ts';
import { formatMetric } from './format.ts';
import { embedLimits, textLimits } from './limits.ts';
import { code, escaped, linesWithin } from './text.ts';
import { relative } from './timestamps.ts';

/** The rank of the player that the asker is linked to. */
export interface OwnPlace {
  name: string | null;
  identifier: string;
  /** Null: not among the rows that the service returns. */
  rank: number | null;
  /** Null: no source reports this metric for the player, or it could not be read. */
  value: number | null;
}

export interface TopView {
  /** The rows of this page only. */
  board: Leaderboard;
  /** Counted from 1. */
  page?: number;
  pages?: number;
  /** Rows on all pages. */
  total?: number;
  own?: OwnPlace | null;
  /** The message updates automatically and shows when it was updated. */
  updating?: boolean;
  receivedAt: number;
  stale: boolean;
}

const medals = new Map([
  [1, '🥇'],
  [2, '🥈'],
  [3, '🥉'],
]);

/** A medal, or the rank. */
export function placeSign(rank: number): string {
  return medals.get(rank) ?? `\`${String(rank).padStart(2)}.\``;
}

function rowText(language: Language, board: Leaderboard, row: LeaderboardRow): string {
  const place = placeSign(row.rank);
  const name = escaped(row.player.name ?? '', textLimits.name) || language.t('player.nameless');
  return `${place} ${name} · **${formatMetric(language, board.unit, row.value)}**`;
}

function ownText(language: Language, board: Leaderboard, own: OwnPlace, total: number): string {
  const player = escaped(own.name ?? '', textLimits.name) || code(own.identifier);
  if (own.value === null || own.value === 0) return language.t('top.ownNone', { player });
  const value = formatMetric(language, board.unit, own.value);
  if (own.rank === null) return language.t('top.ownBeyond', { player, value, count: total });
  return language.t('top.ownRank', { player, value, rank: language.number(own.rank) });
}

/** A leaderboard, or a page of it. Equal values share a rank and its medal. */
export function topEmbed(language: Language, branding: Branding | null, view: TopView): APIEmbed {
  const { board, own, page = 1, pages = 1, total = board.rows.length } = view;
  const metric = language.t(`metric.${board.metric}`);
  const stale = view.stale ? [language.t('stale', { when: relative(view.receivedAt) })] : [];
  const updated = view.updating
    ? [`-# ${language.t('post.updated', { when: relative(view.receivedAt) })}`]
    : [];
  const title = `${metrics[board.metric].sign} ${language.t('top.title', { metric })}`;
  if (board.rows.length === 0) {
    return {
      ...authorOf(branding),
      title,
      description: [`**${language.t('top.empty')}**`, language.t('top.emptyNext'), ...stale, ...updated].join(
        '\n',
      ),
      color: colours.unknown,
    };
  }
  const rows = board.rows.map((row) => rowText(language, board, row));
  const list = linesWithin(rows, embedLimits.description - 500, (count) => language.t('more', { count }));
  const places = language.t('top.footer', { count: total });
  const turned = language.t('page', { page: language.number(page), pages: language.number(pages) });
  return {
    ...authorOf(branding),
    title,
    description: [
      list,
      ...(own ? ['', ownText(language, board, own, total)] : []),
      ...stale,
      ...updated,
    ].join('\n'),
    color: view.stale ? colours.warning : accentOf(branding, colours.gold),
    footer: { text: pages > 1 ? `${places} · ${turned}` : places },
  };
}
