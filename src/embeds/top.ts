import type { APIEmbed } from 'discord-api-types/v10';
import type { Leaderboard, LeaderboardRow } from '../api/resources.ts';
import type { Language } from '../locales/language.ts';
import { accentOf, authorOf, colours, type Branding } from './branding.ts';
import { figure, metricSigns } from './figures.ts';
import { embedLimits, textLimits } from './limits.ts';
import { foreign, linesWithin } from './text.ts';
import { relative } from './timestamps.ts';

export interface TopView {
  board: Leaderboard;
  receivedAt: number;
  stale: boolean;
}

const medals = new Map([
  [1, '🥇'],
  [2, '🥈'],
  [3, '🥉'],
]);

function rowText(language: Language, board: Leaderboard, row: LeaderboardRow): string {
  const place = medals.get(row.rank) ?? `\`${String(row.rank).padStart(2)}.\``;
  const name = foreign(row.player.name ?? '', textLimits.name) || language.t('player.nameless');
  // The service formats for display in English; other languages group and name units their own way.
  const value = language.locale.startsWith('en')
    ? foreign(row.valueText, 40)
    : figure(language, board.unit, row.value);
  return `${place} ${name} · **${value}**`;
}

/** A leaderboard. Equal values share a rank, and its medal. */
export function topEmbed(language: Language, branding: Branding | null, view: TopView): APIEmbed {
  const { board } = view;
  const metric = language.t(`metric.${board.metric}`);
  const stale = view.stale ? [language.t('stale', { when: relative(view.receivedAt) })] : [];
  const title = `${metricSigns[board.metric]} ${language.t('top.title', { metric })}`;
  if (board.rows.length === 0) {
    return {
      ...authorOf(branding),
      title,
      description: [`**${language.t('top.empty')}**`, language.t('top.emptyNext'), ...stale].join('\n'),
      color: colours.unknown,
    };
  }
  const rows = board.rows.map((row) => rowText(language, board, row));
  const list = linesWithin(rows, embedLimits.description - 300, (count) => language.t('more', { count }));
  return {
    ...authorOf(branding),
    title,
    description: [list, ...stale].join('\n'),
    color: view.stale ? colours.warning : accentOf(branding, colours.gold),
    footer: { text: language.t('top.footer', { count: board.rows.length }) },
  };
}
