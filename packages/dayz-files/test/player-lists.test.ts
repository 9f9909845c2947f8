import { expect, test } from 'vitest';
import { adminLog, type GameEvent, LocalZone } from '../src/index.ts';
import { idA, idB, run } from './fixture.ts';

const entry = (name: string, id: string) => `12:05:00 | Player "${name}" (id=${id} pos=<1.0, 2.0, 3.0>)`;
const [begin, end] = ['12:05:00 | ##### PlayerList log: 2 players', '12:05:00 | #####'];
const both = [
  { id: idA, name: 'Ann' },
  { id: idB, name: 'Bob' },
];

function listsOf(...blocks: string[]): unknown[] {
  const reader = adminLog.open({ zone: new LocalZone('UTC') });
  const events: GameEvent[] = [];
  for (const block of blocks) reader.read({ bytes: Buffer.from(block) }, (event) => events.push(event));
  return events.flatMap((event) => (event.kind === 'player-list' ? [event.players] : []));
}

test('a list of players is one event once it has ended, in one block or in many', () => {
  const lines = [begin, entry('Ann', idA), entry('Bob', idB), end];
  expect(listsOf(run(...lines))).toEqual([both]);
  expect(listsOf(...[run(), ...lines].map((line) => `${line}\n`))).toEqual([both]);
  expect(listsOf(run(...lines).replaceAll('\n', '\r\n'))).toEqual([both]);
});

test('a list holds players with a group of DayZ Expansion AI', () => {
  const bob = entry('Bob', idB).replace(' pos=', ' group=3:"Bob\'s" faction="West" pos=');
  expect(listsOf(run(begin, entry('Ann', idA), bob, end))).toEqual([both]);
});

test('what others do while a list is written is no part of it', () => {
  const others = [
    `12:05:00 | Player "Ann" (id=${idA}) placed Fireplace`,
    '12:05:00 | Chat("Bob"(id=x)): #####',
  ];
  expect(listsOf(run(begin, entry('Ann', idA), ...others, entry('Bob', idB), end))).toEqual([both]);
});

test.each([
  ['lacks a line', [begin, entry('Ann', idA), end]],
  ['has a line too many', [begin, entry('Ann', idA), entry('Bob', idB), entry('Bob', idB), end]],
  ['has no end', [begin, entry('Ann', idA), entry('Bob', idB)]],
  ['has no beginning', [entry('Ann', idA), entry('Bob', idB), end]],
])('a list that %s counts as none', (_, lines) => {
  expect(listsOf(run(...lines))).toEqual([]);
});

test('players whom the log does not tell are left out of a list', () => {
  expect(listsOf(run(begin, entry('Ann', idA), entry('Bob', 'Unknown'), end))).toEqual([[both[0]]]);
});
