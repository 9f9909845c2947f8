import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GameEvent } from '../../../../src/server/ingest/counting/events.ts';
import { type LineResult, readAdminLogLine } from '../../../../src/server/games/dayz/admin-log-line.ts';
import { OddNames } from '../../../../src/server/games/dayz/odd-names.ts';
import { Vocabulary } from '../../../../src/server/games/dayz/vocabulary.ts';
import { idA, idB, idC, run, statsOf, temporaryFiles, temporaryFolder, temporaryStore } from '../fixture.ts';
import { createSourceWatch, importLogs } from '../../../harness/logs.ts';

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
function linesAbout(
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

/** Reads the lines of one run, in which A and B connect first. */
function readerOfRun(nameA: string, nameB: string): (line: string) => LineResult {
  const [words, oddNames] = [new Vocabulary(), new OddNames()];
  const read = (line: string): LineResult => readAdminLogLine(line, 0, 0, line.length, words, oddNames);
  for (const [name, id] of [
    [nameA, idA],
    [nameB, idB],
  ]) {
    read(`Player "${name}" (id=${id}) is connecting`);
    read(`Player "${name}" (id=${id} pos=<1, 2, 3>) is connected`);
  }
  return read;
}

describe('a name that imitates the log', () => {
  test.each(hostile)('%s: its lines are about the one who bears it, or about nobody', (name) => {
    const prefix = `Player "${name}" (id=${idA} pos=<1, 2, 3>)`;
    const dead = `Player "${name}" (DEAD) (id=${idA} pos=<1, 2, 3>)`;
    const other = `Player "B" (id=${idB} pos=<4, 5, 6>)`;
    const otherDead = `Player "B" (DEAD) (id=${idB} pos=<4, 5, 6>)`;
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
        `${dead}[HP: 0] hit by ${other} into Head(0) for 5 damage (Y) with Z from 3 meters `,
        'hit',
        [idA, idB],
        { ...struck, position: here, attackerPosition: there },
      ],
      [
        `${otherDead}[HP: 0] hit by ${prefix} into Head(0) for 5 damage (Y) with Z from 3 meters `,
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

  test.each(hostile)('%s: all lines are read once its owner was seen to connect', (name) => {
    const read = readerOfRun(name, 'B');
    for (const [line, kind, ids] of [...linesAbout(name, 'B'), ...linesAbout('B', name, idB, idA)]) {
      const reading = read(line);
      expect({ kind: (reading as GameEvent).kind, ids: idsIn(reading) }).toEqual({ kind, ids });
      expect(namesIn(reading)).toEqual(namesOf(ids, name, 'B'));
    }
  });

  test('a line that can be read in two ways credits nobody', () => {
    const name = `X" (id=${forged} pos=<1, 2, 3>) killed by Player "Y`;
    const line = `Player "${name}" (id=${idA} pos=<1, 2, 3>) killed by Player "C" (id=${idC} pos=<1, 2, 3>) with SVD from 9 meters `;
    expect(readAdminLogLine(line, 0)).toBe('unread');
  });

  test('the names from earlier lines decide about a line that can be read in two ways', () => {
    const name = `X" (id=${forged} pos=<1, 2, 3>) killed by Player "Y`;
    const tail = 'with SVD from 9 meters ';
    const [mine, other] = [
      `Player "${name}" (id=${idA} pos=<1, 2, 3>)`,
      `Player "C" (id=${idC} pos=<1, 2, 3>)`,
    ];
    const read = readerOfRun(name, name);
    const [A, C] = [
      { id: idA, name },
      { id: idC, name: 'C' },
    ];
    const kill = { kind: 'killed', meters: 9 };
    expect(read(`${mine} killed by ${other} ${tail}`)).toMatchObject({ ...kill, victim: A, killer: C });
    expect(read(`${other} killed by ${mine} ${tail}`)).toMatchObject({ ...kill, victim: C, killer: A });
    expect(read(`Player "D"(id=${idA}) is connected`)).toMatchObject({ player: { id: idA, name: 'D' } });
    expect(read(`${mine} killed by ${other} ${tail}`)).toBe('unread');
  });

  test('a line that was cut and continues with another one gives nobody a name made of both', () => {
    for (const cut of [
      'Player "Surv',
      'Player "Survivor" (id=aSeZrScYkwQmCCVY',
      `Player "Survivor" (id=${idA} pos=<1, 2`,
    ]) {
      expect(
        readAdminLogLine(`${cut}12:00:05 | Player "B"(id=${idB}) has been disconnected`, 0),
      ).toMatchObject({ kind: 'disconnected', player: { id: idB, name: '' } });
    }
  });

  test('a line made of many marks is read in time that grows with its length only', () => {
    const name = `x" (id=${forged} pos=<1, 2, 3>) killed by Player "`.repeat(600);
    const line = `Player "${name}" (id=${idA})`;
    expect(idsIn(readAdminLogLine(`${line} is connected`, 0))).toEqual([idA]);
    expect(readAdminLogLine(`${line} killed by Player "B" (id=${idB}) with SVD`, 0)).toBe('unread');
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
  const name = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join('').replaceAll('\n', ''));

  test('three thousand names put together from pieces never credit a made-up id', () => {
    const property = fc.property(name, name, (nameA, nameB) => {
      for (const [line, kind, ids] of linesAbout(nameA, nameB)) {
        const reading = readAdminLogLine(line, 0);
        if (reading === 'unread') continue;
        expect({ kind: (reading as GameEvent).kind, ids: idsIn(reading) }).toEqual({ kind, ids });
      }
    });
    fc.assert(property, { numRuns: 3_000, seed: 20_240_501 });
  });

  test('three thousand such names hide nobody who was seen to connect', () => {
    const property = fc.property(name, name, (nameA, nameB) => {
      const read = readerOfRun(nameA, nameB);
      for (const [line, kind, ids] of linesAbout(nameA, nameB)) {
        const reading = read(line);
        expect({ kind: (reading as GameEvent).kind, ids: idsIn(reading) }).toEqual({ kind, ids });
        expect(namesIn(reading)).toEqual(namesOf(ids, nameA, nameB));
      }
    });
    fc.assert(property, { numRuns: 3_000, seed: 20_261_124 });
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

  test.each(hostile)('%s: kills, deaths and play time count', async (name) => {
    const mine = `(id=${idA} pos=<1, 2, 3>)`;
    const other = `Player "B" (id=${idB} pos=<4, 5, 6>)`;
    const tail = 'with SVD from 9 meters ';
    const text = run(
      `12:00:00 | Player "${name}"(id=${idA}) is connected`,
      `12:00:00 | Player "B"(id=${idB}) is connected`,
      `12:01:00 | Player "${name}" ${mine} performed EmoteDance`,
      `12:02:00 | ${other} killed by Player "${name}" ${mine} ${tail}`,
      `12:03:00 | Player "${name}" (DEAD) ${mine} killed by ${other} ${tail}`,
      `12:04:00 | Player "${name}"(id=${idA}) has been disconnected`,
    );
    const db = await temporaryStore();
    const files = temporaryFiles({ 'x.ADM': text });
    const { unreadLines } = await importLogs(db, { serverId: 's', files });
    expect(unreadLines).toBe(0);
    expect(await statsOf(db, idA)).toMatchObject({ player_kills: 1, deaths: 1, total_play_seconds: 240 });
    expect(await statsOf(db, idB)).toMatchObject({ player_kills: 1, deaths: 1, total_play_seconds: 240 });
    expect(await statsOf(db, forged)).toBeUndefined();
    const players = await db.selectFrom('player').select('name').where('dayz_id', '=', idA).execute();
    expect(players).toEqual([{ name: name.trim() === '' ? null : name }]);
  });

  test('count on when Outpost restarts after each line', async () => {
    const name = 'X" (id=ERROR) killed by Player "';
    const mine = `Player "${name}" (id=${idA} pos=<1, 2, 3>)`;
    const other = `Player "B" (id=${idB} pos=<4, 5, 6>)`;
    const db = await temporaryStore();
    const folder = temporaryFolder();
    for (const lines of [
      run(`12:00:00 | Player "${name}"(id=${idA}) is connected`),
      `12:01:00 | ${mine} killed by ${other} with SVD from 9 meters \n`,
      `12:02:00 | ${other} killed by ${mine} with SVD from 9 meters \n`,
    ]) {
      appendFileSync(join(folder, 'DayZServer_x64.ADM'), lines);
      await createSourceWatch(db).followOn({ servers: [{ id: 's', logs: folder }], banlists: [] });
    }
    expect(await statsOf(db, idA)).toMatchObject({ player_kills: 1, deaths: 1 });
    expect(await statsOf(db, idB)).toMatchObject({ player_kills: 1, deaths: 1 });
  });

  test('names reach the store as they are, cut to a bearable length', async () => {
    const db = await temporaryStore();
    const long = 'ß'.repeat(5000);
    const text = run(
      ...[...hostile, long].flatMap((name) => [
        `12:00:00 | Player "${name}" (id=${idA}) is connecting`,
        `12:00:00 | Player "${name}"(id=${idA}) is connected`,
      ]),
    );
    await importLogs(db, { serverId: 's', files: temporaryFiles({ 'x.ADM': text }) });
    const names = (await db.selectFrom('player_alias').select('name').execute()).map((row) => row.name);
    expect(names).toEqual(expect.arrayContaining(hostile));
    expect(Math.max(...names.map((name) => name.length))).toBeLessThanOrEqual(128);
    const players = await db.selectFrom('player').select('dayz_id').execute();
    expect(players).toEqual([{ dayz_id: idA }]);
  });
});
