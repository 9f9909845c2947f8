import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GameEvent } from '../src/index.ts';
import { type LineResult, readAdminLogLine } from '../src/logs/admin-log-line.ts';
import { OddNames } from '../src/logs/odd-names.ts';
import { Vocabulary } from '../src/logs/vocabulary.ts';
import { idA, idB, idC } from './fixture.ts';
import { forged, hostileNames, linesAbout, madeUpName } from './hostile-names.ts';

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
  test.each(hostileNames)('%s: its lines are about the one who bears it, or about nobody', (name) => {
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

  test.each(hostileNames)('%s: all lines are read once its owner was seen to connect', (name) => {
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

  test('three thousand names put together from pieces never credit a made-up id', () => {
    const property = fc.property(madeUpName, madeUpName, (nameA, nameB) => {
      for (const [line, kind, ids] of linesAbout(nameA, nameB)) {
        const reading = readAdminLogLine(line, 0);
        if (reading === 'unread') continue;
        expect({ kind: (reading as GameEvent).kind, ids: idsIn(reading) }).toEqual({ kind, ids });
      }
    });
    fc.assert(property, { numRuns: 3_000, seed: 20_240_501 });
  });

  test('three thousand such names hide nobody who was seen to connect', () => {
    const property = fc.property(madeUpName, madeUpName, (nameA, nameB) => {
      const read = readerOfRun(nameA, nameB);
      for (const [line, kind, ids] of linesAbout(nameA, nameB)) {
        const reading = read(line);
        expect({ kind: (reading as GameEvent).kind, ids: idsIn(reading) }).toEqual({ kind, ids });
        expect(namesIn(reading)).toEqual(namesOf(ids, nameA, nameB));
      }
    });
    fc.assert(property, { numRuns: 3_000, seed: 20_261_124 });
  });
});
