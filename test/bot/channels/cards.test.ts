import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createCards } from '../../../src/bot/channels/cards/draw-cards.ts';
import type { CardContent } from '../../../src/embeds/card/content.ts';

const look = { accentColor: null, logoUrl: null };
const content = (name: string): CardContent => ({
  community: 'Northwood',
  name,
  tiles: [{ label: 'Player kills', value: '12', rank: 3 }],
  note: null,
  activity: null,
});
const cards = createCards(pino({ level: 'silent' }));

it('draws the same card once, and another one for other words', async () => {
  const [one, again] = await Promise.all([
    cards.draw(content('Ann'), look),
    cards.draw(content('Ann'), look),
  ]);
  expect(one).toBe(again);
  expect(one).toMatchObject({ name: 'player.png', alt: 'Ann · Northwood. Player kills: 12 (#3)' });
  expect(await cards.draw(content('Bob'), look)).not.toBe(one);
  expect(await cards.draw(content('Ann'), { ...look, accentColor: 1 })).not.toBe(one);
});

it('lets others work between two cards', async () => {
  await cards.draw(content('first'), look);
  let turns = 0;
  const drawn: number[] = [];
  const all = Array.from({ length: 10 }, (_, index) =>
    cards.draw(content(`Player ${index}`), look).then(() => drawn.push(turns)),
  );
  const turn = (): void => {
    turns += 1;
    if (drawn.length < all.length) setImmediate(turn);
  };
  setImmediate(turn);
  await Promise.all(all);
  expect(new Set(drawn).size).toBe(all.length);
});
