import type { APIEmbed } from 'discord-api-types/v10';
import type { PlayerReference } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import type { Branding } from './branding.ts';
import { embedLimits } from './limits.ts';
import { escaped, plain } from './text.ts';
import { date } from './timestamps.ts';
import { boardEmbed, type BoardPage, type OwnPlace } from './top.ts';

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

export interface KillBoardView extends Pick<BoardPage, 'best' | 'total' | 'page' | 'pages'> {
  board: KillBoard;
  since: KillBoardRows['since'];
  /** Of this page; equal figures share a rank. */
  rows: readonly { rank: number; player: PlayerReference; kills: number }[];
  own: OwnPlace | null;
}

const weaponLimit = 60;

/** Its name as plain text. */
export function killBoardName(language: Language, { kind, name }: KillBoard): string {
  if (kind === 'season') return language.t('top.killsOfSeason', { season: plain(name ?? '', 60) });
  if (kind === 'weapon') return language.t('top.killsWith', { weapon: plain(name ?? '', weaponLimit) });
  return language.t(kind === 'week' ? 'top.killsOfWeek' : 'top.killsOfMonth');
}

/** A page of such a leaderboard. It says whose count it is, and since when. */
export function killBoardEmbed(
  language: Language,
  branding: Branding | null,
  { board, since, rows, own, ...pages }: KillBoardView,
): APIEmbed {
  return boardEmbed(language, branding, {
    ...pages,
    title: `⚔️ ${escaped(killBoardName(language, board), embedLimits.title - 10)}`,
    rows: rows.map(({ rank, player, kills }) => ({
      rank,
      name: player.name,
      figure: kills,
      value: language.number(kills),
    })),
    own: own && { ...own, value: own.value === null ? null : language.number(own.value) },
    notes: [`-# ${language.t('top.botCounts', { when: date(Math.max(since, board.from)) })}`],
    stale: false,
  });
}
