import { expect, test } from 'vitest';
import { outpost } from '../harness/command-line.ts';

const games = (...args: string[]) => outpost('games', ...args);

test('lists every game with what stands at "game:" in the config', async () => {
  const { code, out } = await games();
  expect(code).toBe(0);
  expect(out).toMatch(/^dayz +DayZ \(2018\)$/m);
  expect(out.split('\n').length).toBeGreaterThan(300);
});

test('says what the query of a game needs besides the address', async () => {
  expect((await games('palworld')).out).toBe('palworld  Palworld (2024); query needs username, password');
});

test.each([['counter strike 2'], ['Counter-Strike 2'], ['CS2'], ['counterstrike2']])(
  'finds a game as people call it: %s',
  async (text) => {
    const { out } = await games(...text.split(' '), '--json');
    expect(JSON.parse(out)).toMatchObject({
      games: expect.arrayContaining([{ type: 'counterstrike2', name: 'Counter-Strike 2', year: 2023 }]),
    });
  },
);

test('says so where there is none, and what was probably meant', async () => {
  expect(await games('dayzz')).toEqual({
    code: 1,
    out: '',
    err: 'GameDig knows no game like "dayzz"; did you mean "dayz"?',
  });
  expect((await games('no such game')).err).toContain('"outpost games" lists all');
});
