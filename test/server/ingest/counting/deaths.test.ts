import { describe, expect, test } from 'vitest';
import { adminLog, type IdentifiedEvent, LocalZone } from 'dayz-files';
import { RunTally } from '../../../../src/server/ingest/counting/tally.ts';
import type { RunDeath } from '../../../../src/server/store/repositories/kills/save-deaths.ts';
import { idA, idB, idC, run } from '../fixture.ts';

const A = `Player "A" (id=${idA} pos=<10, 20, 3>)`;
const deadA = `Player "A" (DEAD) (id=${idA} pos=<10, 20, 3>)`;
const B = `Player "B" (id=${idB} pos=<30, 40, 3>)`;
const C = `Player "C" (id=${idC} pos=<50, 60, 3>)`;
const at = (time: string): number => Date.parse(`2024-05-01T${time}Z`);
const here = { position: { x: 10, z: 20 }, killerPosition: null };

/** The deaths that lines tell, in order: all at once, and each again whenever a line adds to it. */
function deathsOf(...lines: string[]): RunDeath[] {
  const reader = adminLog.open({ zone: new LocalZone('UTC') });
  const bytes = Buffer.from(run(...lines));
  const events: IdentifiedEvent[] = [];
  reader.read({ bytes }, (event) => events.push(event as IdentifiedEvent));
  const whole = new RunTally();
  for (const event of events) whole.add(event);
  const deaths = whole.drainDeaths();
  const tally = new RunTally();
  const drained = new Map<string, RunDeath>();
  for (const event of events) {
    tally.add(event);
    for (const death of tally.drainDeaths()) drained.set(`${death.victim} ${death.number}`, death);
  }
  expect([...drained.values()]).toEqual(deaths);
  return deaths;
}

const nothingMore = { killer: null, weapon: null, bodyPart: null, ammo: null, meters: null };

describe('a death is told by the lines that follow each other', () => {
  test('a shot: the hit that kills says the part of the body and the ammunition', () => {
    expect(
      deathsOf(
        `12:00:01 | ${A}[HP: 20] hit by ${B} into LeftArm(18) for 80 damage (Bullet_556x45) with M4A1 from 9 meters `,
        `12:00:02 | ${deadA}[HP: 0] hit by ${B} into Head(0) for 99.8 damage (Bullet_762x54) with SVD from 378.238 meters `,
        `12:00:02 | ${deadA} killed by ${B} with SVD from 378.238 meters `,
        `12:00:02 | ${deadA}[HP: 0] hit by ${B} into Torso(24) for 99.8 damage (Bullet_762x39) with SVD from 378.238 meters `,
        `12:00:03 | ${deadA}[HP: 0] hit by ${C} into LeftLeg(1) for 9 damage (Bullet_45ACP) with FX-45 from 2 meters `,
      ),
    ).toEqual([
      {
        victim: idA,
        number: 1,
        at: at('12:00:02'),
        cause: 'player',
        killer: idB,
        weapon: 'SVD',
        bodyPart: 'Head',
        ammo: 'Bullet_762x54',
        meters: 378.238,
        position: { x: 10, z: 20 },
        killerPosition: { x: 30, z: 40 },
      },
    ]);
  });

  test('a kill whose killing hit comes after it', () => {
    const [death, ...more] = deathsOf(
      `12:00:02 | ${deadA} killed by ${B} with (MeleeFist)`,
      `12:00:02 | ${deadA}[HP: 0] hit by ${B} into Head(0) for 9 damage (MeleeFist_Heavy)`,
    );
    expect(more).toEqual([]);
    expect(death).toMatchObject({
      cause: 'player',
      killer: idB,
      weapon: null,
      bodyPart: 'Head',
      ammo: 'MeleeFist',
    });
  });

  test('a hit of another player in the same second is not the killer’s', () => {
    const [death] = deathsOf(
      `12:00:02 | ${deadA}[HP: 0] hit by ${C} into Head(0) for 9 damage (Bullet_45ACP) with FX-45 from 2 meters `,
      `12:00:02 | ${deadA} killed by ${B} with SVD from 8 meters `,
    );
    expect(death).toMatchObject({ killer: idB, weapon: 'SVD', bodyPart: null, ammo: null, meters: 8 });
  });

  test('died, then killed, within ten seconds; killed again later', () => {
    expect(
      deathsOf(
        `12:00:02 | ${deadA} died. Stats> Water: 355.447 Energy: 26.4938 Bleed sources: 0`,
        `12:00:02 | ${deadA} killed by ${B} with M79 from 2 meters `,
        `12:00:30 | ${deadA} killed by ${C} with Stone Knife`,
      ),
    ).toMatchObject([
      { number: 1, at: at('12:00:02'), cause: 'player', killer: idB, weapon: 'M79' },
      { number: 2, at: at('12:00:30'), cause: 'player', killer: idC, weapon: 'Stone Knife', meters: null },
    ]);
  });

  test.each([
    [
      'a suicide that the game tells in two lines',
      [
        `12:00:11 | Player 'A' (id=${idA}) committed suicide.`,
        `12:00:16 | ${deadA} died. Stats> Water: 6 Energy: 1`,
      ],
      { at: at('12:00:11'), cause: 'suicide', ...nothingMore, ...here },
    ],
    [
      'bleeding to death',
      [`12:00:16 | ${deadA} died. Stats> Water: 6 Energy: 1`, `12:00:16 | ${deadA} bled out`],
      { cause: 'bled-out', ...nothingMore, ...here },
    ],
    [
      'a fall',
      [
        `12:00:16 | ${deadA}[HP: 0] hit by FallDamageHealth`,
        `12:00:16 | ${deadA} died. Stats> Water: 6 Energy: 1`,
      ],
      { cause: 'fall', ...nothingMore, ...here },
    ],
    [
      'hunger',
      [`12:00:16 | ${deadA} died. Stats> Water: 6 Energy: 0`],
      { cause: 'died', ...nothingMore, ...here },
    ],
    [
      'water',
      [`12:00:16 | ${A} has drowned while unconscious`],
      { cause: 'drowned', ...nothingMore, ...here },
    ],
    [
      'an infected, whatever the server’s language',
      [
        `12:00:16 | ${deadA}[HP: 0] hit by Зараженный into Torso(1) for 7.5 damage (MeleeInfectedLong)`,
        `12:00:16 | ${deadA} killed by ZmbM_SoldierNormal`,
      ],
      { cause: 'infected', ...nothingMore, bodyPart: 'Torso', ammo: 'MeleeInfectedLong', ...here },
    ],
    [
      'a mod’s car',
      [
        `12:00:16 | ${deadA}[HP: 0] hit by Some_Mods_Buggy with TransportHit`,
        `12:00:16 | ${deadA} killed by Some_Mods_Buggy`,
      ],
      { cause: 'vehicle', ...nothingMore, ammo: 'TransportHit', ...here },
    ],
    [
      'a grenade that is nobody’s',
      [
        `12:00:16 | ${deadA}[HP: 0] hit by explosion (M67Grenade_Ammo)`,
        `12:00:16 | ${deadA} killed by  with Dynamitestick`,
      ],
      { cause: 'explosion', ...nothingMore, weapon: 'Dynamitestick', ammo: 'M67Grenade_Ammo', ...here },
    ],
    [
      'one’s own grenade',
      [
        `12:00:16 | ${deadA}[HP: 0] hit by explosion (M67Grenade_Ammo)`,
        `12:00:16 | ${deadA} killed by ${deadA} with 6-M7 Frag Grenade`,
      ],
      {
        cause: 'self',
        ...nothingMore,
        weapon: '6-M7 Frag Grenade',
        ammo: 'M67Grenade_Ammo',
        ...here,
      },
    ],
    [
      'somebody whom nobody knows any more',
      [
        `12:00:16 | ${deadA} killed by Player "Unknown/Dead Entity" (id=Unknown pos=<0, 0, 0>) with M4-A1 from 3 meters `,
      ],
      { cause: 'player', ...nothingMore, weapon: 'M4-A1', meters: 3, ...here },
    ],
    [
      'a fire that somebody lit',
      [`12:00:16 | ${deadA} killed by  with Fireplace`],
      { cause: 'fire', ...nothingMore, weapon: 'Fireplace', ...here },
    ],
    [
      'a mod’s soldier',
      [
        `12:00:16 | ${deadA} killed by AI "X" (group="" faction="West" pos=<1, 2, 3>) with LAR from 21.4 meters `,
      ],
      { cause: 'ai', ...nothingMore, weapon: 'LAR', meters: 21.4, ...here },
    ],
    ...(
      [
        ['ZmbF_JoggerSkinny_Red', 'infected'],
        ['Animal_UrsusArctos', 'animal'],
        ['LandMineTrap', 'trap'],
        ['BearTrap', 'trap'],
        ['Sedan_02_Red', 'vehicle'],
        ['CrSk_Land_Rover_Defender_110_UN', 'vehicle'],
        ['Fireplace', 'fire'],
        ['ClaymoreMine', 'explosion'],
        ['Land_Mods_Thing', 'other'],
      ] as const
    ).map(([killer, cause]): [string, string[], object] => [
      killer,
      [`12:00:16 | ${deadA} killed by ${killer}`],
      { cause, ...nothingMore, ...here },
    ]),
  ])('%s', (_, lines, expected) => {
    expect(deathsOf(...lines)).toEqual([{ victim: idA, number: 1, at: at('12:00:16'), ...expected }]);
  });

  test('a kill counts for the killer even if the victim is told to have committed suicide', () => {
    expect(
      deathsOf(
        `12:00:02 | ${deadA} killed by ${B} with SVD from 8 meters `,
        `12:00:03 | ${A} committed suicide`,
      ),
    ).toMatchObject([{ cause: 'player', killer: idB }]);
  });
});
