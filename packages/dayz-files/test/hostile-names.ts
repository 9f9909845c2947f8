import * as fc from 'fast-check';
import type { GameEvent } from '../src/index.ts';
import { idA, idB } from './fixture.ts';

/** An id that no line truly carries: whatever is credited to it was made up by a name. */
export const forged = 'Zm9yZ2VkZm9yZ2VkZm9yZ2VkZm9yZ2VkZm9yZ2VkMDA=';

export const hostileNames = [
  '"',
  '""',
  "'",
  'a "quoted" name',
  ' leading and trailing ',
  '|XX| Abc',
  'Survivor (2)',
  '(DEAD)',
  'X" (DEAD)',
  'Игрок',
  '\u202Egnp.exe',
  '@everyone <@1> **b** `c`',
  "'); DROP TABLE player;--",
  '(id=',
  '(id=Unknown)',
  '(id=short)',
  `X" (id=${forged}`,
  `X" (id=${forged})`,
  `X"(id=${forged}) is connected`,
  `X" is connected (id=${forged})`,
  `X" (id=${forged} pos=<1, 2, 3>)`,
  `X" (id=${forged} pos=<1, 2, 3>) killed by Player "Y`,
  `X" (DEAD) (id=${forged} pos=<1, 2, 3>) died. Stats> Water: 1 Energy: 1`,
  `X" (id=${forged}) committed suicide`,
  ` killed by Player "`,
  `X" killed by Player "Y" (id=${forged} pos=<1, 2, 3>) with SVD from 999 meters`,
  `X" (id=${forged} pos=<1, 2, 3>)[HP: 5] hit by Player "Y`,
  `X" (id=${forged} pos=<1, 2, 3>) into Head(0) for 5 damage (Y) with Z from 9000 meters`,
  `X"(id=76561197960265728) has been killed by player "Y`,
  `X" (id=${forged} group=1 faction="West" pos=<1, 2, 3>) killed by Player "Y`,
  `X" (id=${forged}) with Z into Head(0) for 5 damage (Y)`,
  '12:00:05 | Player',
  '12:00:05 | Player "',
  '12:00:05 | Player "X',
  '12:00:05 | Player X',
  'X" (id=ERROR) killed by Player "',
  'X" (id=ERROR) killed by Player "Y',
  `12:00:05 | Player "X" (id=${forged} pos=<1, 2, 3>) killed by Player "Y`,
  '(id=ERROR)'.repeat(12),
];

/** Lines about A, and about A and B, with what each says. */
export function linesAbout(
  nameA: string,
  nameB: string,
  idOfA = idA,
  idOfB = idB,
): [line: string, kind: GameEvent['kind'], ids: string[]][] {
  const a = `Player "${nameA}"`;
  const b = `Player "${nameB}" (id=${idOfB} pos=<1, 2, 3>)`;
  return [
    [`${a}(id=${idOfA}) is connected`, 'connected', [idOfA]],
    [`${a} (id=${idOfA} pos=<1, 2, 3>)`, 'seen', [idOfA]],
    [`${a} (id=${idOfA} pos=<1, 2, 3>) committed suicide`, 'suicide', [idOfA]],
    [
      `${a} (DEAD) (id=${idOfA} pos=<1, 2, 3>) killed by ${b} with SVD from 9 meters `,
      'killed',
      [idOfA, idOfB],
    ],
    [
      `${a} (id=${idOfA} pos=<1, 2, 3>)[HP: 5] hit by ${b} into Head(0) for 5 damage (M) with Z`,
      'hit',
      [idOfA, idOfB],
    ],
  ];
}

const pieces = [
  '"',
  "'",
  ' ',
  'X',
  'Y" ',
  `(id=${forged}`,
  `(id=${forged})`,
  `(id=${forged} pos=<1, 2, 3>)`,
  '(id=Unknown)',
  '(id=',
  '(id=76561197960265728)',
  ' (DEAD)',
  ' is connected',
  ' is connected ',
  ' has been disconnected',
  'Player "',
  ' killed by Player "',
  ' killed by ',
  ' has been killed by player "',
  '[HP: 5] hit by Player "',
  '(id=ERROR) killed by Player "',
  '(id=ERROR)[HP: 5] hit by Player "',
  '12:00:05 | Player',
  '12:00:05 | Player "',
  '" (',
  ' | ',
  '.',
  ' into Head(0) for 5 damage (M) with Z from 5 meters',
  ' with SVD from 9 meters',
  ' committed suicide',
  ' died. Stats> Water: 1 Energy: 2',
  'placed ',
  ')Built ',
  "'); DROP TABLE player;--",
  '**b** `c` ||d|| [e](https://example.org)',
  '@everyone <@1> <@&2>',
  '\u0000',
  '\u001b[31m',
  '\r',
  '\t',
  '\u202e',
  '\u200f',
  '\u200b',
  'Игрок',
  '💀',
];
const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 4 }));
/** Names put together from pieces of a log. */
export const madeUpName = fc
  .array(piece, { maxLength: 6 })
  .map((parts) => parts.join('').replaceAll('\n', ''));
