import { expect, it } from 'vitest';
import { logBoardEmbed, type LogBoardRow, periodName } from '../../src/embeds/log-board.ts';
import { languageOf } from '../../src/locales/language.ts';
import * as data from './contract-data.ts';

const row: LogBoardRow = {
  rank: 1,
  player: data.reference({ name: 'Anna' }),
  ref: 'stored.1',
  value: 2.5,
  change: null,
};

function shown(metric: 'KD' | 'DEATHS', rows: readonly LogBoardRow[], locale = 'en-US') {
  const board = { metric, period: null, weapon: null };
  const pages = { total: rows.length, page: 1, pages: 1 };
  return logBoardEmbed(languageOf(locale), null, {
    board,
    rows,
    since: null,
    previous: [],
    own: null,
    ...pages,
  }).description;
}

it('a board of kills per death says from how many kills on it lists a player', () => {
  expect(shown('KD', [row])).toContain('Players with at least 5 kills.');
  expect(shown('KD', [])).toContain('Players with at least 5 kills.');
  expect(shown('KD', [row], 'pl')).toContain('Gracze z co najmniej 5 zabójstwami.');
  expect(shown('DEATHS', [row])).not.toContain('at least');
});

it('names a season by its name alone where that says what it is', () => {
  const nameOf = (locale: string, name: string) => periodName(languageOf(locale), { kind: 'season', name });
  expect(nameOf('en-US', 'Winter')).toBe('Season Winter');
  expect(nameOf('en-US', 'Season 3')).toBe('Season 3');
  expect(nameOf('fr', 'Season 3')).toBe('Season 3');
  expect(nameOf('ru', 'Зимний сезон')).toBe('Зимний сезон');
});
