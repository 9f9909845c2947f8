import { expect, it } from 'vitest';
import type { BoardMetric } from '../../src/api/log-metrics.ts';
import { boardEmbed, periodName, type BoardRow, type RankChange } from '../../src/embeds/top.ts';
import { languageOf } from '../../src/locales/language.ts';
import * as data from './contract-data.ts';

function described(metric: BoardMetric, rows: readonly BoardRow[], locale = 'en-US'): string {
  const board = { metric, period: null, weapon: null };
  const pages = { total: rows.length, page: 1, pages: 1, own: null, updatedAt: null };
  const read = { rows, since: null, previous: [], receivedAt: data.now, stale: false };
  return boardEmbed(languageOf(locale), { ...read, ...pages, board }).description ?? '';
}

const rowsWith = (changes: Readonly<Record<string, RankChange>>): BoardRow[] =>
  Object.entries(changes).map(([name, change], index) => {
    return { rank: index + 1, player: data.reference({ name }), value: 9 - index, change };
  });

it('says who is new on a board, unless the board is new', () => {
  const one = described('DEATHS', rowsWith({ Ann: 0, Bob: 'new', Cid: -1, Dan: 2 }));
  expect(one.match(/🆕|[▲▼]\d/gu)).toEqual(['🆕', '▼1', '▲2']);
  expect(one).toContain('▲ ▼ Places since last week');
  const most = described('DEATHS', rowsWith({ Ann: 'new', Bob: 'new', Cid: 1 }));
  expect(most.match(/🆕|[▲▼]\d/gu)).toEqual(['▲1']);
  const all = described('DEATHS', rowsWith({ Ann: 'new', Bob: 'new', Cid: 'new' }));
  expect(all).not.toMatch(/🆕|▲|▼/u);
});

it('a board of kills per death says from how many kills on it lists a player', () => {
  const rows = rowsWith({ Anna: null });
  expect(described('KD', rows)).toContain('Players with at least 5 kills.');
  expect(described('KD', [])).toContain('Players with at least 5 kills.');
  expect(described('KD', rows, 'pl')).toContain('Gracze z co najmniej 5 zabójstwami.');
  expect(described('DEATHS', rows)).not.toContain('at least');
});

it('names a season by its name alone where that says what it is', () => {
  const nameOf = (locale: string, name: string) => periodName(languageOf(locale), { kind: 'season', name });
  expect(nameOf('en-US', 'Winter')).toBe('Season Winter');
  expect(nameOf('en-US', 'Season 3')).toBe('Season 3');
  expect(nameOf('fr', 'Season 3')).toBe('Season 3');
  expect(nameOf('ru', 'Зимний сезон')).toBe('Зимний сезон');
});

it('a row breaks nowhere but before its figure, and deaths have no medals', () => {
  const player = data.reference({ name: 'Karl-Heinz der Bohnenheld' });
  const rows = [{ rank: 1, player, value: 90_000, change: null }];
  expect(described('PLAYTIME', rows)).toBe('🥇\u00a0Karl\u2011Heinz\u00a0der\u00a0Bohnenheld **25h**');
  expect(described('DEATHS', rows)).toBe(
    '\u20071\\.\u00a0Karl\u2011Heinz\u00a0der\u00a0Bohnenheld **90,000**',
  );
});
