import { expect, it } from 'vitest';
import { readCharacters } from '../src/index.ts';
import { readCharacterBlob } from '../src/players-db/character-blob.ts';
import { characterBlob } from './character-blob.ts';
import { idA, idB, idC } from './fixture.ts';

const figures = { dist: 10, players_killed: 1, infected_killed: 7, playtime: 5, longest_survivor_hit: 0 };

it('reads the figures of each character, and counts players without one', () => {
  const rows = [
    { rowid: 1, uid: idA, data: characterBlob({ ...figures, of_a_mod: 3 }) },
    { rowid: 2, uid: idB, data: null },
    { rowid: 3, uid: idC, data: characterBlob({ ...figures, playtime: NaN }) },
    { rowid: 4, uid: 'nobody', data: characterBlob(figures) },
  ];
  expect(readCharacters(rows)).toEqual({
    characters: [{ dayzId: idA, figures }],
    empty: 1,
    skipped: [
      { row: 3, reason: 'its playtime is NaN' },
      { row: 4, reason: 'its UID is not a player id of the game' },
    ],
  });
});

it('refuses a layout that it does not know, and a table of which no row can be read', () => {
  const rows = (data: unknown) => [{ rowid: 1, uid: idA, data }];
  expect(() => readCharacters(rows(characterBlob(figures, 3)))).toThrow(
    'row 1 holds data of version 3, version 2 was expected',
  );
  expect(() => readCharacters(rows('text'))).toThrow(
    'none of its rows can be read: row 1: its Data is not a blob',
  );
});

it('a blob cut anywhere is an error, never a wrong figure', () => {
  const whole = characterBlob(figures);
  for (let length = 0; length < whole.length; length++) {
    expect(() => readCharacterBlob(whole.subarray(0, length))).toThrow();
  }
  expect(readCharacterBlob(whole).get('infected_killed')).toBe(7);
});
