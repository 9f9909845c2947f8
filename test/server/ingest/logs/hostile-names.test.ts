import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GameEvent } from '../../../../src/server/ingest/counting/events.ts';
import { type LineResult, readAdminLogLine } from '../../../../src/server/games/dayz/admin-log-line.ts';
import { idA, idB, idC, run, temporaryFiles, temporaryStore } from '../fixture.ts';
import { importLogs } from '../../../harness/logs.ts';

/** An id that no line truly carries: whatever is credited to it was made up by a name. */
const forged = 'Zm9yZ2VkZm9yZ2VkZm9yZ2VkZm9yZ2VkZm9yZ2VkMDA=';

const hostile = [
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
];

const idsIn = (value: unknown): string[] =>
  Array.from(JSON.stringify(value).matchAll(/"id":"([^"]+)"/g), ([, id]) => id as string);

const namesIn = (reading: LineResult): string[] => {
  if (typeof reading === 'string') return [reading];
  const { player, victim, attacker, killer } = reading as unknown as Record<
    string,
    { name: string } | null | undefined
  >;
  return [player, victim, attacker, killer].flatMap((one) =>
    one === null || one === undefined ? [] : [one.name],
  );
};

const namesOf = (ids: readonly string[], nameA: string, nameB: string): string[] =>
  ids.map((id) => (id === idA ? nameA : nameB));

/** Lines about A, and about A and B, with what each says. */
function linesAbout(nameA: string, nameB: string): [line: string, kind: GameEvent['kind'], ids: string[]][] {
  const a = `Player "${nameA}"`;
  const b = `Player "${nameB}" (id=${idB} pos=<1, 2, 3>)`;
  return [
    [`${a}(id=${idA}) is connected`, 'connected', [idA]],
    [`${a} (id=${idA} pos=<1, 2, 3>)`, 'seen', [idA]],
    [`${a} (id=${idA} pos=<1, 2, 3>) committed suicide`, 'suicide', [idA]],
    [`${a} (DEAD) (id=${idA} pos=<1, 2, 3>) killed by ${b} with SVD from 9 meters `, 'killed', [idA, idB]],
    [
      `${a} (id=${idA} pos=<1, 2, 3>)[HP: 5] hit by ${b} into Head(0) for 5 damage (M) with Z`,
      'hit',
      [idA, idB],
    ],
  ];
}

describe('a name that imitates the log', () => {
  test.each(hostile)('%s: its lines are about the one who bears it, or about nobody', (name) => {
    const prefix = `Player "${name}" (id=${idA} pos=<1, 2, 3>)`;
    const dead = `Player "${name}" (DEAD) (id=${idA} pos=<1, 2, 3>)`;
    const other = `Player "B" (id=${idB} pos=<4, 5, 6>)`;
    const [here, there] = [
      { x: 1, z: 2 },
      { x: 4, z: 5 },
    ];
    const shot = { cause: 'player', weapon: 'SVD', ammo: null, meters: 9 };
    const struck = { cause: 'player', weapon: 'Z', bodyPart: 'Head', ammo: 'Y', meters: 3 };
    const cases: [string, string, string[], object?][] = [
      [`Player "${name}"(id=${idA}) is connected`, 'connected', [idA]],
      [`Player "${name}" is connected (id=${idA})`, 'connected', [idA]],
      [`Player "${name}"(id=${idA}) has been disconnected`, 'disconnected', [idA]],
      [prefix, 'seen', [idA]],
      [`${prefix} committed suicide`, 'suicide', [idA], { position: here }],
      [`${dead} died. Stats> Water: 1 Energy: 2.5 Bleed sources: 0`, 'died', [idA], { position: here }],
      [`${dead} killed by ZmbM_Jacket_blue`, 'killed', [idA], { cause: 'infected', weapon: null }],
      [
        `${dead} killed by ${other} with SVD from 9 meters `,
        'killed',
        [idA, idB],
        { ...shot, position: here, killerPosition: there },
      ],
      [
        `${other} killed by ${prefix} with SVD from 9 meters `,
        'killed',
        [idB, idA],
        { ...shot, position: there, killerPosition: here },
      ],
      [
        `${prefix}[HP: 5] hit by ${other} into Head(0) for 5 damage (Y) with Z from 3 meters `,
        'hit',
        [idA, idB],
        { ...struck, position: here, attackerPosition: there },
      ],
      [
        `${other}[HP: 5] hit by ${prefix} into Head(0) for 5 damage (Y) with Z from 3 meters `,
        'hit',
        [idB, idA],
        { ...struck, position: there, attackerPosition: here },
      ],
    ];
    for (const [line, kind, ids, details = {}] of cases) {
      const reading = readAdminLogLine(line, 0);
      if (reading === 'unread') continue;
      expect(reading).toMatchObject({ kind, ...details });
      expect(idsIn(reading)).toEqual(ids);
    }
  });

  test.each(hostile.filter((name) => !name.includes(forged)))(
    '%s: without a forged id all lines are read',
    (name) => {
      for (const line of [
        `Player "${name}"(id=${idA}) is connected`,
        `Player "${name}" (DEAD) (id=${idA} pos=<1, 2, 3>) killed by Player "B" (id=${idB} pos=<1, 2, 3>) with SVD from 9 meters `,
        `Player "B" (DEAD) (id=${idB} pos=<1, 2, 3>) killed by Player "${name}" (id=${idA} pos=<1, 2, 3>) with SVD from 9 meters `,
      ]) {
        const reading = readAdminLogLine(line, 0);
        expect(reading).not.toBe('unread');
        expect(JSON.stringify(reading)).toContain(JSON.stringify(name));
      }
    },
  );

  test('a line that can be read in two ways credits nobody', () => {
    const name = `X" (id=${forged} pos=<1, 2, 3>) killed by Player "Y`;
    const line = `Player "${name}" (id=${idA} pos=<1, 2, 3>) killed by Player "C" (id=${idC} pos=<1, 2, 3>) with SVD from 9 meters `;
    expect(readAdminLogLine(line, 0)).toBe('unread');
  });

  test('a line that was cut and continues with another one gives nobody a name made of both', () => {
    for (const cut of [
      'Player "Surv',
      'Player "Survivor" (id=aSeZrScYkwQmCCVY',
      `Player "Survivor" (id=${idA} pos=<1, 2`,
    ]) {
      expect(readAdminLogLine(`${cut}12:00:05 | Player "B"(id=${idB}) has been disconnected`, 0)).toBe(
        'unread',
      );
    }
  });

  test('a line made of many marks is refused in time that grows with its length only', () => {
    const line = `Player "${`x" (id=${forged} pos=<1, 2, 3>) killed by Player "`.repeat(600)}" (id=${idA}) is connected`;
    expect(readAdminLogLine(line, 0)).toBe('unread');
  });

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
  const name = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join('').replaceAll('\n', ''));

  test('ten thousand names put together from pieces never credit a made-up id', () => {
    let unread = 0;
    const property = fc.property(name, name, (nameA, nameB) => {
      for (const [line, kind, ids] of linesAbout(nameA, nameB)) {
        const reading = readAdminLogLine(line, 0);
        if (reading === 'unread') unread += 1;
        else expect({ kind: (reading as GameEvent).kind, ids: idsIn(reading) }).toEqual({ kind, ids });
        // What forges no mark leaves its line one reading, which has to be found.
        if (!/\(id=(?!")/.test(nameA + nameB)) expect(namesIn(reading)).toEqual(namesOf(ids, nameA, nameB));
      }
    });
    fc.assert(property, { numRuns: 10_000, seed: 20_240_501 });
    expect(unread).toBeLessThan(5_000);
  });

  test('a log full of such names counts for those who bear them, through bytes and store', async () => {
    const names = fc
      .sample(name, { numRuns: 400, seed: 7 })
      .filter((text) => text.length <= 128 && !text.includes('\0'));
    const text = run(
      ...names.flatMap((a, i) => linesAbout(a, names.at(-i) ?? '').map(([line]) => `12:00:00 | ${line}`)),
    );
    const db = await temporaryStore();
    await importLogs(db, { serverId: 's', files: temporaryFiles({ 'x.ADM': text }) });
    const players = await db.selectFrom('player').select('dayz_id').orderBy('dayz_id').execute();
    expect(players).toEqual([{ dayz_id: idA }, { dayz_id: idB }]);
    const aliases = (await db.selectFrom('player_alias').select('name').execute()).map((row) => row.name);
    const wellFormed = new Set(names.map((one) => Buffer.from(one).toString()));
    expect(aliases.filter((alias) => !wellFormed.has(alias))).toEqual([]);
  });

  test('names reach the store as they are, cut to a bearable length', async () => {
    const db = await temporaryStore();
    const long = 'ß'.repeat(5000);
    const text = run(
      ...[...hostile, long].map((name) => `12:00:00 | Player "${name}"(id=${idA}) is connected`),
    );
    await importLogs(db, { serverId: 's', files: temporaryFiles({ 'x.ADM': text }) });
    const names = (await db.selectFrom('player_alias').select('name').execute()).map((row) => row.name);
    expect(names).toEqual(expect.arrayContaining(hostile));
    expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(128);
    const players = await db.selectFrom('player').select('dayz_id').execute();
    expect(players).toEqual([{ dayz_id: idA }]);
  });
});
