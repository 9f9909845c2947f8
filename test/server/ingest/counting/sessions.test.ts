import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { adminLog, LocalZone } from 'dayz-files';
import { LogCounter } from '../../../../src/server/ingest/logs/reading/log-counter.ts';
import { ForgottenList } from '../../../../src/server/store/repositories/rights/forgotten-list.ts';
import { idA, idB, run } from '../fixture.ts';

/** One stay of a player on a server. Times in seconds. */
const stay = fc.record({
  /** Since the end of the stay before. */
  away: fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 91, max: 900 })),
  /** Short: a kick. */
  length: fc.oneof(fc.integer({ min: 3, max: 90 }), fc.integer({ min: 91, max: 4000 })),
  /** How long after the end the game notices it and writes the disconnect. */
  late: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 120 })),
  /** Consoles lose the id of some who leave. */
  hasLostId: fc.boolean(),
  /** Moments within the stay, as parts of it. */
  deaths: fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 3 }),
});

const story = fc.record({
  stays: fc.array(stay, { minLength: 1, maxLength: 8 }),
  /** Since 2026 a login writes `is connecting` before, and each respawn `is connected`. */
  is2026: fc.boolean(),
  /** Servers may write no player lists. */
  hasLists: fc.boolean(),
  /** Whether the server stops while the player is on. */
  isOnAtEnd: fc.boolean(),
  /** How long the lines wait until they are written, in turn. */
  waits: fc.oneof(
    fc.constant([0]),
    fc.array(fc.integer({ min: 0, max: 120 }), { minLength: 7, maxLength: 31 }),
  ),
});

type Story = typeof story extends fc.Arbitrary<infer T> ? T : never;

const loadS = 40;
const listEveryS = 300;
const P = `Player "A" (id=${idA} pos=<1.0, 2.0, 3.0>)`;
const other = `Player "B" (id=${idB} pos=<1.0, 2.0, 3.0>)`;

/** Writes the log of a story. The player's seconds by the log: connected or not, and in which life. */
function tell({ stays, is2026, hasLists, isOnAtEnd, waits }: Story) {
  const lines: { at: number; text: string }[] = [{ at: 1, text: `Player "B"(id=${idB}) is connected` }];
  const write = (at: number, text: string): void => void lines.push({ at, text });
  const inGame: [from: number, to: number][] = [];
  const connected = new Set<number>();
  const died: number[] = [];
  let now = 60;
  for (const [index, { away, length, late, hasLostId, deaths }] of stays.entries()) {
    const from = now + away;
    const isLast = isOnAtEnd && index === stays.length - 1;
    const to = (now = from + length);
    if (is2026) write(from - 1, `Player "A" (id=${idA}) is connecting`);
    write(from, is2026 ? `${P} is connected` : `Player "A"(id=${idA}) is connected`);
    inGame.push([is2026 ? from : from + loadS, to]);
    for (const part of deaths) {
      const at = from + Math.round((length * part) / 10);
      if (length < 300 || at < from + loadS) continue;
      died.push(at);
      write(at, `${P.replace(' (id', ' (DEAD) (id')} killed by ZmbM_Jacket_blue`);
      if (part === 9) continue;
      write(at + 8, `${P} is choosing to respawn`);
      if (is2026) write(at + 9, `${P} is connected`);
    }
    // It is found by the name, which the log must have said before.
    const id = hasLostId && to + late > (inGame[0]?.[0] ?? to) + 300 ? 'ERROR' : idA;
    if (!isLast) write(to + late, `Player "A" (id=${id} pos=<1.0, 2.0, 3.0>) has been disconnected`);
    for (let second = from; second < (isLast ? to : to + late); second += 1) connected.add(second);
  }
  const end = isOnAtEnd ? now : now + 600;
  if (isOnAtEnd) write(end, `${other} is unconscious`);
  for (let at = hasLists ? listEveryS : end; at < end; at += listEveryS) {
    const players = inGame.some(([from, to]) => from <= at && at < to) ? [P, other] : [other];
    write(at, [`##### PlayerList log: ${players.length} players`, ...players, '#####'].join('\n'));
  }
  const written = lines.map((line, index) => ({
    ...line,
    writtenAt: line.at + (waits[index % waits.length] ?? 0),
  }));
  const text = written
    .toSorted((a, b) => a.writtenAt - b.writtenAt || a.at - b.at)
    .flatMap(({ at, text: block }) => block.split('\n').map((line) => `${clock(at)} | ${line}`));
  const lives = new Map<number, number>();
  for (const second of connected) {
    const life = died.filter((at) => at <= second).length;
    lives.set(life, (lives.get(life) ?? 0) + 1);
  }
  return {
    text: run(...text),
    play: connected.size,
    longestLife: Math.max(...lives.values()),
    deaths: died.length,
  };
}

const clock = (second: number): string => new Date((12 * 3600 + second) * 1000).toISOString().slice(11, 19);

const zone = new LocalZone('UTC');
const forgotten = new ForgottenList(0, [], new Set());

/** @param cut the line before which what was counted is passed on */
function count(text: string, cut = 0) {
  const lines = text.split(/(?<=\n)/);
  const counter = new LogCounter(adminLog, { zone, forgotten, rest: null });
  counter.read({ bytes: Buffer.from(lines.slice(0, cut).join('')) });
  counter.take(true);
  counter.read({ bytes: Buffer.from(lines.slice(cut).join('')) });
  counter.end();
  const row = counter.take(true).runs[0]?.rows.get(idA);
  if (row === undefined) throw new Error('the player is not counted');
  const { totalPlaySeconds: play, deaths, lifeHeadSeconds, lifeBestSeconds, lifeTailSeconds } = row;
  return { play, longestLife: Math.max(lifeHeadSeconds, lifeBestSeconds, lifeTailSeconds), deaths };
}

const stories = fc.sample(story, { numRuns: 2_400, seed: 1 });

test('ten thousand stays are counted to the second, though lines are up to two minutes late and out of order', () => {
  expect(stories.flatMap(({ stays }) => stays).length).toBeGreaterThan(10_000);
  const wrong = stories
    .map(tell)
    .filter(({ text, ...expected }) => !isDeepStrictEqual(count(text), expected));
  expect(wrong).toEqual([]);
});

test('what was passed on in the middle of a run changes nothing', () => {
  for (const [index, { text, ...expected }] of stories.slice(0, 400).map(tell).entries()) {
    expect(count(text, 5 + ((index * 7919) % (text.split('\n').length - 5)))).toEqual(expected);
  }
});

const connects = (time: string): string => `${time} | Player "A"(id=${idA}) is connected`;
const enters = (time: string): string => `${time} | ${P} is connected`;
const disconnects = (time: string): string => `${time} | Player "A"(id=${idA}) has been disconnected`;
const dies = (time: string): string => `${time} | ${P.replace(' (id', ' (DEAD) (id')} bled out`;
const acts = (time: string): string => `${time} | ${P} placed Fireplace`;
const list = (time: string, ...players: string[]): string =>
  [`##### PlayerList log: ${players.length} players`, ...players, '#####']
    .map((line) => `${time} | ${line}`)
    .join('\n');

test.each([
  [
    'a player comes back before the old connection times out',
    [connects('12:00:10'), connects('12:30:00'), disconnects('12:31:00'), disconnects('13:00:10')],
    3600,
  ],
  [
    'the old disconnect is missing, the player leaves within two minutes, and the next list says so',
    [
      connects('12:00:10'),
      connects('12:30:00'),
      disconnects('12:31:00'),
      list('12:36:00', other),
      list('13:00:00', other),
    ],
    1850,
  ],
  [
    'a respawn, after which the player leaves',
    [
      enters('12:00:00'),
      dies('12:29:00'),
      enters('12:29:10'),
      disconnects('12:30:00'),
      list('12:35:00', other),
    ],
    1800,
  ],
  [
    'a login that looks like a respawn, until a list shows the player',
    [
      enters('12:00:00'),
      dies('12:29:00'),
      enters('12:29:10'),
      disconnects('12:30:00'),
      list('12:30:10', P),
      disconnects('13:00:00'),
    ],
    3600,
  ],
  [
    'a disconnect that is minutes late, after which the player acts',
    [
      connects('12:00:00'),
      connects('12:20:00'),
      disconnects('12:25:00'),
      acts('12:28:00'),
      disconnects('13:00:00'),
    ],
    3600,
  ],
  [
    'a corpse that is hit after its player has left',
    [
      connects('12:00:00'),
      dies('12:19:00'),
      disconnects('12:20:00'),
      `12:30:00 | ${P.replace(' (id', ' (DEAD) (id')}[HP: 0] hit by Infected into Head(0) for 5 damage (MeleeZombie)`,
      list('13:00:00', other),
    ],
    1200,
  ],
])('%s', (_, lines, play) => {
  expect(count(run(`12:00:00 | Player "B"(id=${idB}) is connected`, ...lines))).toMatchObject({ play });
});
