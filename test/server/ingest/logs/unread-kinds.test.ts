import { expect, test } from 'vitest';
import { UnreadKinds } from '../../../../src/server/ingest/logs/reading/unread-kinds.ts';
import { ForgottenList } from '../../../../src/server/store/repositories/rights/forgotten-list.ts';
import { idA, steamA } from '../fixture.ts';

const nobodyForgotten = new ForgottenList(0, [], new Set());

test('lines of a kind are counted, without who is in them', () => {
  const kinds = new UnreadKinds(nobodyForgotten);
  for (const name of ['Cy', 'Dee']) kinds.add(`12:00:00 | [emote] ${name} waves`);
  for (const name of ['Bob', 'Ann "A"', '|X| (id=Unknown) waves']) {
    kinds.add(`12:00:01 | Player "${name}" (id=${idA} pos=<1, 2, 3>) flew over "Tisy"`);
    kinds.add(`12:00:01 | [emote] ${name} waves`);
    kinds.add(`${name} was teleported`);
    kinds.add(`[${steamA}] ${name} was teleported from 192.168.1.20:2302`);
  }
  kinds.add('12:00:01 | Player is a word, too');
  expect(kinds.all).toEqual([
    { kind: 'other', lines: 7 },
    { kind: '[emote]', lines: 5 },
    { kind: 'Player … flew', lines: 3 },
  ]);
});

test('a log of random text has few kinds', () => {
  const kinds = new UnreadKinds(nobodyForgotten);
  const letters = 'abcdefghijklmnopqrstuvwxyz';
  for (const a of letters) for (const b of letters) kinds.add(`[${a}${b}] ${'x'.repeat(10_000)}`);
  expect(kinds.all.length).toBeLessThan(30);
  expect(kinds.all[0]).toEqual({ kind: 'other', lines: 676 - 20 });
});
