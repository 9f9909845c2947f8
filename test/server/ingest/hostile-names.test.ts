import { describe, expect, test } from 'vitest';
import { readAdminLogLine } from '../../../src/server/ingest/admin-log-line.ts';
import { importAdminLogs } from '../../../src/server/ingest/admin-log-import.ts';
import { idA, idB, idC, run, temporaryFiles, temporaryStore } from './fixture.ts';

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

describe('a name that imitates the log', () => {
  test.each(hostile)('%s: its lines are about the one who bears it, or about nobody', (name) => {
    const prefix = `Player "${name}" (id=${idA} pos=<1, 2, 3>)`;
    const dead = `Player "${name}" (DEAD) (id=${idA} pos=<1, 2, 3>)`;
    const other = `Player "B" (id=${idB} pos=<1, 2, 3>)`;
    const cases: [string, string, string[]][] = [
      [`Player "${name}"(id=${idA}) is connected`, 'connected', [idA]],
      [`Player "${name}" is connected (id=${idA})`, 'connected', [idA]],
      [`Player "${name}"(id=${idA}) has been disconnected`, 'disconnected', [idA]],
      [prefix, 'seen', [idA]],
      [`${prefix} committed suicide`, 'suicide', [idA]],
      [`${dead} died. Stats> Water: 1 Energy: 2.5 Bleed sources: 0`, 'died', [idA]],
      [`${dead} killed by ZmbM_Jacket_blue`, 'killed', [idA]],
      [`${dead} killed by ${other} with SVD from 9 meters `, 'killed', [idA, idB]],
      [`${other} killed by ${prefix} with SVD from 9 meters `, 'killed', [idB, idA]],
      [
        `${prefix}[HP: 5] hit by ${other} into Head(0) for 5 damage (Y) with Z from 3 meters `,
        'hit',
        [idA, idB],
      ],
      [
        `${other}[HP: 5] hit by ${prefix} into Head(0) for 5 damage (Y) with Z from 3 meters `,
        'hit',
        [idB, idA],
      ],
    ];
    for (const [line, kind, ids] of cases) {
      const reading = readAdminLogLine(line, 0);
      if (reading === 'unread') continue;
      expect(reading).toMatchObject({ kind });
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

  test('a line made of many marks is refused in time that grows with its length only', () => {
    const line = `Player "${`x" (id=${forged} pos=<1, 2, 3>) killed by Player "`.repeat(600)}" (id=${idA}) is connected`;
    expect(readAdminLogLine(line, 0)).toBe('unread');
  });

  test('ten thousand names put together from pieces of the log never credit a made-up id', () => {
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
    ];
    let seed = 1;
    const below = (limit: number) => (seed = (seed * 48_271) % 2_147_483_647) % limit;
    const name = () => Array.from({ length: below(7) }, () => pieces[below(pieces.length)]).join('');
    let unread = 0;
    for (let i = 0; i < 10_000; i++) {
      const a = `Player "${name()}"`;
      const b = `Player "${name()}" (id=${idB} pos=<1, 2, 3>)`;
      for (const [line, kind, ids] of [
        [`${a}(id=${idA}) is connected`, 'connected', [idA]],
        [`${a} (id=${idA} pos=<1, 2, 3>)`, 'seen', [idA]],
        [`${a} (id=${idA} pos=<1, 2, 3>) committed suicide`, 'suicide', [idA]],
        [
          `${a} (DEAD) (id=${idA} pos=<1, 2, 3>) killed by ${b} with SVD from 9 meters `,
          'killed',
          [idA, idB],
        ],
        [
          `${a} (id=${idA} pos=<1, 2, 3>)[HP: 5] hit by ${b} into Head(0) for 5 damage (M) with Z`,
          'hit',
          [idA, idB],
        ],
      ] as const) {
        const reading = readAdminLogLine(line, 0);
        if (reading === 'unread') unread += 1;
        else
          expect({ line, kind: (reading as { kind: string }).kind, ids: idsIn(reading) }).toEqual({
            line,
            kind,
            ids,
          });
      }
    }
    expect(unread).toBeLessThan(500);
  });

  test('names reach the store as they are, cut to a bearable length', async () => {
    const db = await temporaryStore();
    const long = 'ß'.repeat(5000);
    const text = run(
      ...[...hostile, long].map((name) => `12:00:00 | Player "${name}"(id=${idA}) is connected`),
    );
    await importAdminLogs(db, { serverId: 's', files: temporaryFiles({ 'x.ADM': text }) });
    const names = (await db.selectFrom('player_alias').select('name').execute()).map((row) => row.name);
    expect(names).toEqual(expect.arrayContaining(hostile));
    expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(128);
    const players = await db.selectFrom('player').select('dayz_id').execute();
    expect(players).toEqual([{ dayz_id: idA }]);
  });
});
