import { expect, test } from 'vitest';
import { maskLine, UnreadExamples } from '../../../../src/server/ingest/logs/reading/unread-examples.ts';
import { idA, steamA } from '../fixture.ts';

test.each([
  [
    `12:00:01 | Player "A "B" (id=${idA}) c" (id=${idA} pos=<1, 2, 3>) flew`,
    'HH:MM:SS | Player … (id=… pos=<…>) flew',
  ],
  [`12:00:01 | Player 'Bob' (DEAD) (id=${idA}) flew`, 'HH:MM:SS | Player … (DEAD) (id=…) flew'],
  [`12:00:01 | Player Bob Smith (id=${idA}) flew`, 'HH:MM:SS | Player … (id=…) flew'],
  [`[X] Bob "the boss" used ${steamA} from 192.168.1.20:2302`, '[X] … "…" used … from …'],
  ['guid 3136185f8ab4f601875da476f9a00dbb of fe80::1:2:3', 'guid … of …'],
  ['\u001B[31mred\u202E', '[31mred'],
])('a line is shown without who and where: %s', (line, shown) => {
  expect(maskLine(line, ['Bob'])).toBe(shown);
});

test('three kinds of lines are kept, each once and short', () => {
  const examples = new UnreadExamples();
  for (let i = 0; i < 1000; i++) {
    examples.add(`12:00:01 | Zone ${100_000 + i} opened`);
    examples.add(`second ${'x'.repeat(100_000)}`);
    examples.add(`kind ${i}`);
    examples.mask(() => []);
  }
  expect(examples.all).toHaveLength(3);
  expect(examples.all[0]).toBe('HH:MM:SS | Zone … opened');
  expect(Math.max(...examples.all.map((line) => line.length))).toBeLessThan(200);
});

test('lines of a kind are counted, whoever and whatever is in them', () => {
  const examples = new UnreadExamples(['of an earlier reader']);
  for (const name of ['Bob', 'Ann "A"', '|X| (id=Unknown)']) {
    examples.add(`12:00:01 | Player "${name}" (id=${idA} pos=<1, 2, 3>) flew 7 m over "Tisy"`);
    examples.add(`12:00:01 | [emote] ${name} waves`);
  }
  examples.add('12:00:01 | Player is a word, too');
  examples.mask(() => ['Bob']);
  expect(examples.kinds).toEqual([
    { example: 'HH:MM:SS | Player … (id=… pos=<…>) flew 7 m over "…"', lines: 3 },
    { example: 'HH:MM:SS | [emote] … waves', lines: 3 },
    { example: 'HH:MM:SS | Player is a word, too', lines: 1 },
  ]);
});

test('a player whom the log names only after the line is masked in it, too', () => {
  const names: string[] = [];
  const examples = new UnreadExamples();
  examples.add('12:00:01 | Bob was teleported');
  expect(examples.all).toEqual([]);
  names.push('Bob');
  examples.mask(() => names);
  expect(examples.all).toEqual(['HH:MM:SS | … was teleported']);
});

test('lines of a run with more names than can be masked are not shown', () => {
  const examples = new UnreadExamples();
  examples.add('[mod] Bob waves');
  examples.mask(() => ['Bob', ...Array.from({ length: 5_000 }, (_, i) => `name ${i}`)]);
  expect([examples.all, examples.kinds]).toEqual([[], []]);
});
