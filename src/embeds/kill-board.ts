import type { APIEmbed } from 'discord-api-types/v10';
import type { PlayerReference } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { accentOf, authorOf, colours, type Branding } from './branding.ts';
import { embedLimits, textLimits } from './limits.ts';
import { code, escaped, linesWithin, plain } from './text.ts';
import { date } from './timestamps.ts';
import { placeSign } from './top.ts';

/** A leaderboard that the bot counts itself, from the kills that logs report. Moments are epoch milliseconds. */
export interface KillBoard {
  /** In options and components. */
  id: string;
  kind: 'week' | 'month' | 'season' | 'weapon';
  /** Of the season or weapon. */
  name: string | null;
  from: number;
  /** Null: it still runs. */
  until: number | null;
}

export interface KillBoardRows {
  /** The most kills first. */
  rows: readonly { player: PlayerReference; kills: number }[];
  /** Since when kills are kept. */
  since: number;
}

export interface KillBoardView extends KillBoardRows {
  board: KillBoard;
  /** Ranks of all rows, in their order; equal figures share one. */
  ranks: readonly number[];
  /** Counted from 1, with so many rows to a page. */
  page: number;
  pages: number;
  limit: number;
  /** The player that the asker is linked to; `row` null: not among the rows. */
  own: { identifier: string; name: string | null; row: number | null } | null;
}

const weaponLimit = 60;

/** Its name as plain text. */
export function killBoardName(language: Language, { kind, name }: KillBoard): string {
  if (kind === 'season') return language.t('top.killsOfSeason', { season: plain(name ?? '', 60) });
  if (kind === 'weapon') return language.t('top.killsWith', { weapon: plain(name ?? '', weaponLimit) });
  return language.t(kind === 'week' ? 'top.killsOfWeek' : 'top.killsOfMonth');
}

/** A page of such a leaderboard. It says whose count it is, and since when. */
export function killBoardEmbed(language: Language, branding: Branding | null, view: KillBoardView): APIEmbed {
  const { board, rows, ranks, page, pages, limit, own, since } = view;
  const title = `⚔️ ${escaped(killBoardName(language, board), embedLimits.title - 10)}`;
  const note = `-# ${language.t('top.botCounts', { when: date(Math.max(since, board.from)) })}`;
  if (rows.length === 0) {
    const description = [`**${language.t('top.empty')}**`, note].join('\n');
    return { ...authorOf(branding), title, description, color: colours.unknown };
  }
  const texts = rows.map(({ player, kills }, i) => {
    const name = escaped(player.name ?? '', textLimits.name) || language.t('player.nameless');
    return `${placeSign(ranks[i] ?? 0)} ${name} · **${language.number(kills)}**`;
  });
  const shown = texts.slice((page - 1) * limit, page * limit);
  const list = linesWithin(shown, embedLimits.description - 500, (count) => language.t('more', { count }));
  const places = language.t('top.footer', { count: rows.length });
  const turned = language.t('page', { page: language.number(page), pages: language.number(pages) });
  return {
    ...authorOf(branding),
    title,
    description: [list, ...(own === null ? [] : ['', ownText(language, view, own)]), note].join('\n'),
    color: accentOf(branding, colours.gold),
    footer: { text: pages > 1 ? `${places} · ${turned}` : places },
  };
}

function ownText(
  language: Language,
  { rows, ranks }: KillBoardView,
  own: NonNullable<KillBoardView['own']>,
): string {
  const player = escaped(own.name ?? '', textLimits.name) || code(own.identifier);
  const row = own.row === null ? undefined : rows[own.row];
  if (own.row === null || row === undefined) return language.t('top.ownNone', { player });
  const rank = language.number(ranks[own.row] ?? 0);
  return language.t('top.ownRank', { player, rank, value: language.number(row.kills) });
}
