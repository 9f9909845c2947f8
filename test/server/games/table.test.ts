import { banFormats } from 'dayz-files';
import { expect, it } from 'vitest';
import { placeKinds } from '../../../src/config/schema/files.ts';
import { gameTable } from '../../../src/server/games/table.ts';

it.each(gameTable)('$type: what its facts name can be read by its code', (game) => {
  expect(Object.keys(banFormats)).toEqual(expect.arrayContaining(game.banFiles.map(({ format }) => format)));
  expect(Object.keys(placeKinds)).toEqual(expect.arrayContaining(Object.keys(game.usualLogs ?? {})));
});

it('has each game once, and each format of ban files in one game', () => {
  const formats = gameTable.flatMap(({ banFiles }) => banFiles.map(({ format }) => format));
  for (const names of [gameTable.map(({ type }) => type), formats])
    expect(new Set(names).size).toBe(names.length);
});
