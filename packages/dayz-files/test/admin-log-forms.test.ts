import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readAdminLogLine } from '../src/logs/admin-log-line.ts';
import { sampleLogs, sampleServers } from './fixture.ts';

const a = 'aSeZrScYkwQmCCVYeYx88yUS-RSUQG7g7xYDDomky38=';
const b = 'jB_bOEJyq9mvxR8JFgT_HcJvTp5Ia8yUrdy9ee9TBak=';
const A = { id: a, name: 'A' };
const B = { id: b, name: 'B' };
const P = `Player "A" (id=${a} pos=<4117.0, 10504.5, 238.2>)`;
const dead = `Player "A" (DEAD) (id=${a} pos=<4117.0, 10504.5, 238.2>)`;
const by = `Player "B" (id=${b} pos=<1, 2, 3>)`;
/** As DayZ Expansion AI writes players who have a group. */
const grouped = (name: string, id: string, dead = ''): string =>
  `Player "${name}"${dead} (id=${id} group=7:"Dave's (elite)" faction="West" pos=<4117.0, 10504.5, 238.2>)`;
const place = { x: 4117, z: 10504.5 };
const steamA = '76561197998690788';
const steamB = '76561198207985320';
const hit = { kind: 'hit', victim: A, corpse: false, attacker: null, meters: null };
const killed = { kind: 'killed', victim: A, killer: null, meters: null };

/** Every form of line from 2015 to 2026, and what it says. */
const forms: [line: string, reading: object | 'nothing' | 'unread'][] = [
  [`Player "A" is connected (id=${a})`, { kind: 'connected', player: A }],
  [`Player A is connected (id=${a})`, { kind: 'connected', player: A }],
  [`Player "A"(id=${a}) is connected`, { kind: 'connected', player: A }],
  [`Player "A" (id=${a}) is connecting`, { kind: 'connecting', player: A }],
  [`${P} is connected`, { kind: 'connected', player: A, inGame: true }],
  [`Player "A"(id=${a}) has been disconnected`, { kind: 'disconnected', player: A }],
  [`Player "A"(id=Unknown) has been disconnected`, 'nothing'],
  ['##### PlayerList log: 2 players', 'nothing'],
  [P, { kind: 'seen', player: A }],
  ['#####', 'nothing'],
  [
    `${P}[HP: 88.5114] hit by ${by} into RightHand(47) for 86.1164 damage (Bullet_556x45) with G36C from 5.85645 meters `,
    { ...hit, attacker: B, meters: 5.85645 },
  ],
  [
    `${P}[HP: 35.9929] hit by ${by} into Head(0) for 5 damage (MeleeBeanBasher) with Plain Baseball Bat Red`,
    { ...hit, attacker: B },
  ],
  [`${P}[HP: 93.264] hit by ${by} into RightArm(19) for 2.5 damage (MeleeFist)`, { ...hit, attacker: B }],
  [`${P}[HP: 97.7725] hit by Infected into LeftLeg(8) for 6.75 damage (MeleeZombie_Heavy)`, hit],
  [`${P}[HP: 97.7725] hit by Зараженный into LeftLeg(8) for 6.75 damage (MeleeZombie_Heavy)`, hit],
  [`${P}[HP: 1.5526] hit by FallDamageHealth`, hit],
  [`${P}[HP: 1.5526] hit by Hatchback_02 with TransportHit`, hit],
  [`${P}[HP: 1.5526] hit by explosion (FlashGrenade_Ammo)`, hit],
  [
    `${dead}[HP: 0] hit by ${by} into Head(0) for 9 damage (Bullet_308Win) with SVD from 378.238 meters `,
    { ...hit, corpse: true, attacker: B, meters: 378.238 },
  ],
  [`${dead} killed by ${by} with SVD from 378.238 meters `, { ...killed, killer: B, meters: 378.238 }],
  [`${dead} killed by ${by} with Stone Knife`, { ...killed, killer: B }],
  [`${dead} killed by ${by} with (MeleeFist)`, { ...killed, killer: B }],
  [`${dead} killed by  with 6-M7 Frag Grenade`, killed],
  ...['ZmbM_Jacket_blue', 'Animal_CanisLupus_White', 'LandMineTrap', 'Sedan_02_Red'].map(
    (killer): [string, object] => [`${dead} killed by ${killer}`, killed],
  ),
  [
    `${dead} killed by AI "X" (group="" faction="West" pos=<1, 2, 3>) with LAR from 21.4 meters `,
    { ...killed, cause: 'ai', weapon: 'LAR', meters: 21.4 },
  ],
  [
    `${dead} killed by Player "Unknown/Dead Entity" (id=Unknown pos=<0, 0, 0>) with M4-A1 from 3 meters `,
    { ...killed, meters: 3 },
  ],
  [
    `${dead}[HP: 0] hit by ${by} into (-1) for 31 damage (Bullet_308Win) with M70 Tundra from 3 meters `,
    { kind: 'hit', bodyPart: null, ammo: 'Bullet_308Win', weapon: 'M70 Tundra', meters: 3 },
  ],
  [
    `${dead}[HP: 0] hit by TripwireTrap into (-1) for 7 damage (BearTrapHit)`,
    { kind: 'hit', cause: 'trap', bodyPart: null, ammo: 'BearTrapHit', weapon: null },
  ],
  [grouped('A', a), { kind: 'seen', player: A }],
  [grouped('A', a).replace(/:"[^"]*"/, ''), { kind: 'seen', player: A }],
  [`${grouped('A', a)} is connected`, { kind: 'connected', player: A, inGame: true }],
  [`${grouped('A', a, ' (DEAD)')} bled out`, { kind: 'died', player: A, cause: 'bled-out', position: place }],
  [
    `${grouped('A', a, ' (DEAD)')}[HP: 0] hit by AI "Elias" (group=2 faction="Mercenaries" pos=<1, 2, 3>) into Head(0) for 20.4 damage (Bullet_556x45) with AUG A1 from 89.9 meters `,
    { ...hit, corpse: true, cause: 'ai', weapon: 'AUG A1', meters: 89.9 },
  ],
  [
    `${grouped('A', a, ' (DEAD)')} killed by ${grouped('B', b)} with SVD from 378.238 meters `,
    { ...killed, killer: B, weapon: 'SVD', meters: 378.238, position: place, killerPosition: place },
  ],
  ...[
    `AI "Raider" (DEAD) (group=3:"Bandits" faction="Raiders" pos=<1, 2, 3>) killed by ${grouped('B', b)} with SKS from 9 meters `,
    `AI "Raider" (group=3 faction="Raiders" pos=<1, 2, 3>)[HP: 5] hit by ${by} into Head(0) for 5 damage (MeleeFist)`,
    'AI "X" (DEAD) (group=3 faction="Raiders" pos=<1, 2, 3>) died. Stats> Water: 1 Energy: 1 Bleed sources: 0',
  ].map((line): [string, 'nothing'] => [line, 'nothing']),
  [
    `${dead} hit by ${by} with M67Grenade_Ammo into Torso(24) for 35.5 damage (FragGrenade_Ammo)`,
    {
      ...hit,
      corpse: true,
      attacker: B,
      cause: 'player',
      bodyPart: 'Torso',
      ammo: 'FragGrenade_Ammo',
      weapon: null,
    },
  ],
  [`${P} crafted Improvised Backpack || Class Name ImprovisedBag`, { kind: 'seen', player: A }],
  [`${dead} died. Stats> could not fetch`, { kind: 'died', player: A, cause: 'died' }],
  [
    `${dead} died. Stats> Water: 614.44 Energy: 18.1291 Bleed sources: 0`,
    { kind: 'died', player: A, cause: 'died' },
  ],
  [`${dead} died. Stats> Water: 614.44 Energy: 18.1291`, { kind: 'died', player: A, cause: 'died' }],
  [`${dead} drowned. Stats> Water: 614.44 Energy: 18.1291`, { kind: 'died', player: A, cause: 'drowned' }],
  [`${dead} drowned.`, { kind: 'died', player: A, cause: 'drowned' }],
  [`${dead} bled out`, { kind: 'died', player: A, cause: 'bled-out' }],
  [`${P} committed suicide`, { kind: 'suicide', player: A }],
  [`Player 'A' (id=${a}) committed suicide.`, { kind: 'suicide', player: A }],
  [`${P} is unconscious`, { kind: 'seen', player: A }],
  [`${P} regained consciousness`, { kind: 'seen', player: A }],
  [`${dead} is choosing to respawn`, { kind: 'respawn', player: A }],
  [
    `Player "A"(id=${steamA}) has been killed by player "B"(id=${steamB})`,
    { ...killed, victim: { id: steamA, name: 'A' }, killer: { id: steamB, name: 'B' } },
  ],
  ...[
    'placed Land Mine',
    'folded Fence Kit',
    'packed Tent',
    'repaired Wall',
    'destroyed Gate',
    'raised Flag',
  ].map((action): [string, object] => [`${P} ${action}`, { kind: 'seen', player: A }]),
  [`${P}Built base on Fence with Hammer`, { kind: 'seen', player: A }],
  [`${P}Dismantled Wall from Fence with Crowbar`, { kind: 'seen', player: A }],
  [`Chat("A"(id=${a})): hello`, 'nothing'],
  [`[Chat - Global]("A"(id=${a})): hello`, 'nothing'],
  [`[COT] ${steamA}: Teleported`, { kind: 'identity', steamId64: steamA }],
  [`A [steam64: ${steamA};] bought Apple`, { kind: 'identity', steamId64: steamA }],
  [`${dead} died. Bleed sources: 0`, { kind: 'died', player: A, cause: 'died' }],
  [`${dead} drowned. Bleed sources: 2`, { kind: 'died', player: A, cause: 'drowned' }],
  [`${P} has drowned while unconscious`, { kind: 'died', player: A, cause: 'drowned' }],
  ...[
    ' is disconnecting while being unconscious',
    ' is disconnecting while being restrained',
    '[HP: 63.1] stunned by FlashGrenade_Ammo',
    ' has raised Flag_Chernarus on TerritoryFlag at <4117.0, 238.2, 10504.5>',
    ' has lowered Flag_Chernarus on TerritoryFlag at <4117.0, 238.2, 10504.5>',
    'Player SurvivorBase<0x0000000012345678> SurvivorM_Mirek:1234 Mounted BarbedWire on Fence',
    'Player SurvivorBase<7c1a0b20> Unmounted BarbedWire from Fence',
    ' was teleported from: <1, 2, 3> to: <4, 5, 6>. Reason: Spawning in Player Restricted Area: Bunker',
    ' Dug in Wooden Crate at position <1, 2, 3>',
    'Dug out UndergroundStash at position <1, 2, 3>',
    ' re-packed Large Tent',
  ].map((tail): [string, object] => [`${P}${tail}`, { kind: 'seen', player: A }]),
  [
    `Player "A" (id=ERROR pos=<340282346638528859811704183484516925440.0, 3.40282e+38, 0.0>) has been disconnected`,
    { kind: 'dropped', name: 'A' },
  ],
  [`Player "A"(id=ERROR) has been disconnected`, { kind: 'dropped', name: 'A' }],
  [`Player "A"(id=ERROR) is connected`, 'nothing'],
  [
    `[BBP] 'A' (${steamA}) DISMANTLED BBP_Wall at <1, 2, 3>`,
    { kind: 'identity', steamId64: steamA, name: 'A' },
  ],
  [`[BBP] 'X' (${steamB}) DISMANTLED ' (${steamA}) DISMANTLED BBP_Wall`, 'nothing'],
  [`2024/5/1 |  [VPPAdminTools] Player A (${steamA}) teleported`, 'nothing'],
  ['[VPPAdminTools] PermissionManager loaded', 'nothing'],
  ['DEBUG: PlayerKilled() player/source does not exist', 'nothing'],
  [`PLAYER REPORT: <2024-5-1_11-23-26> <${a}>: he cheats`, 'nothing'],
  ['A line of some other mod', 'unread'],
];

test.each(forms)('%s', (line, expected) => {
  const reading = readAdminLogLine(line, 7);
  if (typeof expected === 'string') expect(reading).toBe(expected);
  else expect(reading).toMatchObject({ ...expected, at: 7 });
});

test('of the samples, only lines of mods are not understood', () => {
  const unread = sampleServers
    .flatMap(sampleLogs)
    .flatMap((path) => readFileSync(path, 'utf8').split('\n'))
    .map((line) => line.trimEnd())
    .filter((line) => / \| Player /.test(line.slice(0, 19)) && readAdminLogLine(line, 0, 11) === 'unread');
  expect(unread).toEqual([]);
});
