import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { header, idA, idB, idC, run, statsOf, temporaryFiles, temporaryStore } from '../fixture.ts';
import { importLogs } from '../../../harness/logs.ts';

const A = `Player "A" (id=${idA} pos=<1.5, 2, 3.0>)`;
const deadA = `Player "A" (DEAD) (id=${idA} pos=<1.5, 2, 3.0>)`;
const B = `Player "B" (id=${idB} pos=<4, 5, 6>)`;

async function counted(text: string, timezone = 'UTC') {
  const db = await temporaryStore(['s'], timezone);
  const report = await importLogs(db, { serverId: 's', files: temporaryFiles({ 'x.ADM': text }) });
  expect(report.failures).toEqual([]);
  return { report, a: await statsOf(db, idA), b: await statsOf(db, idB), c: await statsOf(db, idC) };
}

describe('kills', () => {
  test('a kill counts for the killer, with its distance as longest kill and longest hit', async () => {
    const { a, b } = await counted(
      run(
        `12:00:01 | ${deadA}[HP: 0] hit by ${B} into Head(0) for 55 damage (Bullet_556x45) with XM8 from 44.3705 meters `,
        `12:00:01 | ${deadA} killed by ${B} with XM8 from 44.3705 meters `,
      ),
    );
    expect(b).toMatchObject({
      player_kills: 1,
      longest_kill_meters: 44.3705,
      longest_hit_meters: 44.3705,
      deaths: 0,
    });
    expect(a).toMatchObject({ player_kills: 0, deaths: 1, longest_hit_meters: null });
  });

  test('a kill by hand or blade has no distance', async () => {
    const { b } = await counted(
      run(
        `12:00:01 | ${deadA} killed by ${B} with Stone Knife`,
        `12:01:01 | ${deadA} killed by ${B} with (MeleeFist)`,
      ),
    );
    expect(b).toMatchObject({ player_kills: 2, longest_kill_meters: null });
  });

  test('killing oneself, an unknown killer, an AI, an infected or a lost killer credit nobody', async () => {
    const { a, b } = await counted(
      run(
        `12:00:01 | ${deadA} killed by ${deadA} with 6-M7 Frag Grenade`,
        `12:01:01 | ${deadA} killed by Player "Unknown/Dead Entity" (id=Unknown pos=<0, 0, 0>) with M4-A1 from 3 meters `,
        `12:02:01 | ${deadA} killed by AI "Lewis" (group="" faction="West" pos=<1, 2, 3>) with LAR from 21.4 meters `,
        `12:03:01 | ${deadA} killed by ZmbM_Jacket_blue`,
        `12:04:01 | ${deadA} killed by  with 6-M7 Frag Grenade`,
      ),
    );
    expect(a).toMatchObject({ player_kills: 0, deaths: 5, suicides: 0, longest_kill_meters: null });
    expect(b).toBeUndefined();
  });

  test('distances of 0 and beyond ten kilometres are noise, the kills are not', async () => {
    const { b } = await counted(
      run(
        `12:00:01 | ${deadA} killed by ${B} with SVD from 0 meters `,
        `12:01:01 | ${deadA} killed by ${B} with SVD from 3.40282e+38 meters `,
        `12:02:01 | ${deadA} killed by ${B} with SVD from 10000.5 meters `,
      ),
    );
    expect(b).toMatchObject({ player_kills: 3, longest_kill_meters: null, longest_hit_meters: null });
  });
});

describe('hits', () => {
  test('the longest hit on a living player counts; hits on a corpse, on oneself and by others do not', async () => {
    const { a, b } = await counted(
      run(
        `12:00:01 | ${A}[HP: 88.5114] hit by ${B} into RightHand(47) for 86.1164 damage (Bullet_556x45) with G36C from 5.85645 meters `,
        `12:00:02 | ${A}[HP: 35.9929] hit by ${B} into Head(0) for 5 damage (MeleeBeanBasher) with Plain Baseball Bat Red`,
        `12:00:03 | ${A}[HP: 93.264] hit by ${B} into RightArm(19) for 2.5 damage (MeleeFist)`,
        `12:00:04 | ${deadA}[HP: 0] hit by ${B} into Torso(1) for 3 damage (Bullet_556x45) with G36C from 700 meters `,
        `12:00:05 | Player "Unknown/Dead Entity" (id=Unknown pos=<1, 2, 3>)[HP: 0] hit by ${B} into Head(0) for 9 damage (Bullet_308Win) with FN FAL from 600 meters `,
        `12:00:06 | ${A}[HP: 50] hit by ${A} into Torso(1) for 3 damage (Bullet_556x45) with G36C from 500 meters `,
        `12:00:07 | ${A}[HP: 97.7725] hit by Infected into LeftLeg(8) for 6.75 damage (MeleeZombie_Heavy)`,
        `12:00:08 | ${A}[HP: 97.7725] hit by Зараженный into LeftLeg(8) for 6.75 damage (MeleeInfectedLong)`,
        `12:00:09 | ${A}[HP: 1.5526] hit by FallDamageHealth`,
        `12:00:10 | ${A}[HP: 1.5526] hit by Hatchback_02 with TransportHit`,
        `12:00:11 | ${A}[HP: 1.5526] hit by explosion (FlashGrenade_Ammo)`,
      ),
    );
    expect(b).toMatchObject({ longest_hit_meters: 5.85645, player_kills: 0 });
    expect(a).toMatchObject({ longest_hit_meters: null, deaths: 0 });
  });
});

describe('deaths', () => {
  const lines = [
    [
      'died. and bled out in the same second',
      [
        `12:00:01 | ${deadA} died. Stats> Water: 10 Energy: 1.5 Bleed sources: 3`,
        `12:00:01 | ${deadA} bled out`,
      ],
      1,
      0,
    ],
    [
      'killed and ten seconds later died.',
      [
        `12:00:01 | ${deadA} killed by ${B} with SVD from 5 meters `,
        `12:00:11 | ${deadA} died. Stats> Water: 10 Energy: 1.5`,
      ],
      1,
      0,
    ],
    [
      'killed and eleven seconds later died.',
      [
        `12:00:01 | ${deadA} killed by ZmbM_Jacket_blue`,
        `12:00:12 | ${deadA} died. Stats> Water: 10 Energy: 1.5`,
      ],
      2,
      0,
    ],
    [
      'a respawn between',
      [
        `12:00:01 | ${deadA} bled out`,
        `12:00:03 | ${deadA} is choosing to respawn`,
        `12:00:06 | ${deadA} drowned. Stats> Water: 10 Energy: 1.5`,
      ],
      2,
      0,
    ],
    [
      'a connect between (1.26)',
      [
        `12:00:01 | ${deadA} bled out`,
        `12:00:03 | Player "A"(id=${idA}) is connected`,
        `12:00:06 | ${deadA} bled out`,
      ],
      2,
      0,
    ],
    [
      'suicide, then died. (vanilla)',
      [
        `12:00:01 | ${A} committed suicide`,
        `12:00:01 | ${deadA} died. Stats> Water: 10 Energy: 1.5 Bleed sources: 0`,
      ],
      1,
      1,
    ],
    [
      'suicide, five seconds later died. (Expansion)',
      [
        `12:00:01 | Player 'A' (id=${idA}) committed suicide.`,
        `12:00:06 | ${deadA} died. Stats> Water: 10 Energy: 1.5 Bleed sources: 0`,
      ],
      1,
      1,
    ],
    [
      'died., then suicide',
      [
        `12:00:01 | ${deadA} died. Stats> Water: 10 Energy: 1.5 Bleed sources: 0`,
        `12:00:02 | ${A} committed suicide`,
      ],
      1,
      1,
    ],
    [
      'unconscious and back',
      [`12:00:01 | ${A} is unconscious`, `12:00:02 | ${A} regained consciousness`],
      0,
      0,
    ],
    [
      'killed by a wolf',
      [`12:00:01 | Player "A" (DEAD) (id=${idA} pos=<1, 2, 3>) killed by Animal_CanisLupus_White`],
      1,
      0,
    ],
  ] as const;
  for (const [name, text, deaths, suicides] of lines) {
    test(`${name}: ${deaths} deaths, ${suicides} suicides`, async () => {
      const { a } = await counted(run(...text));
      expect(a).toMatchObject({ deaths, suicides });
    });
  }
});

describe('time', () => {
  test('sessions run from connect to disconnect, in the forms of every version', async () => {
    const { a } = await counted(
      run(
        `12:01:00 | Player "A" is connected (id=${idA})`,
        `12:02:00 | Player "A"(id=${idA}) has been disconnected`,
        `12:03:00 | Player "A"(id=${idA}) is connected`,
        `12:04:00 | Player "A"(id=${idA}) has been disconnected`,
        `12:05:00 | Player "A" (id=${idA}) is connecting`,
        `12:06:00 | Player "A" (id=${idA} pos=<4117.0, 10504.5, 238.2>) is connected`,
        `12:06:30 | Player "A" (id=${idA} pos=<4117.0, 10504.5, 238.2>) is connected`,
        `12:07:00 | Player "A"(id=Unknown) has been disconnected`,
        `12:08:00 | Player "A"(id=${idA}) has been disconnected`,
        `12:09:00 | Player "A"(id=${idA}) has been disconnected`,
      ),
    );
    expect(a).toMatchObject({ total_play_seconds: 240 });
  });

  test('a session still open at the next header or the end closes at the last time seen', async () => {
    const { a, b } = await counted(
      `${run(
        `12:01:00 | Player "A" is connected (id=${idA})`,
        '12:03:00 | ##### PlayerList log: 1 players',
      )}${header('2024-05-01 15:00:00')}15:00:10 | Player "B"(id=${idB}) is connected\n15:00:40 | Chat("B"(id=${idB})): hi\n`,
    );
    expect(a).toMatchObject({ total_play_seconds: 120, longest_life_seconds: 120 });
    expect(b).toMatchObject({ total_play_seconds: 30 });
  });

  test('a step back of more than five minutes is the next day, a smaller one is jitter', async () => {
    const { a } = await counted(
      run(
        `21:03:00 | Player "A" is connected (id=${idA})`,
        `21:02:30 | Player "A" (id=${idA} pos=<1, 2, 3>)`,
        `15:50:00 | Player "A"(id=${idA}) has been disconnected`,
      ),
    );
    expect(a).toMatchObject({ total_play_seconds: (24 - 21) * 3600 - 180 + 15 * 3600 + 3000 });
  });

  test('the hour that autumn repeats is neither lost nor a day', async () => {
    const { a } = await counted(
      `${header('2024-10-27 01:00:00')}02:50:00 | Player "A" is connected (id=${idA})\n02:10:00 | Player "A"(id=${idA}) has been disconnected\n`,
      'Europe/Berlin',
    );
    expect(a).toMatchObject({ total_play_seconds: 20 * 60 });
  });

  test('the hour that spring leaves out is not played', async () => {
    const { a } = await counted(
      `${header('2024-03-31 01:00:00')}01:30:00 | Player "A" is connected (id=${idA})\n03:30:00 | Player "A"(id=${idA}) has been disconnected\n`,
      'Europe/Berlin',
    );
    expect(a).toMatchObject({ total_play_seconds: 3600 });
  });

  test('a night of spring on a machine whose clock is not in the zone has its true length', async () => {
    const { a } = await counted(
      `${header('2025-03-30 00:07:22')}02:20:16 | Player "A" is connected (id=${idA})\n03:29:38 | Player "A"(id=${idA}) has been disconnected\n`,
      'Europe/Berlin',
    );
    expect(a).toMatchObject({ total_play_seconds: 69 * 60 + 22 });
  });

  test('a night of autumn on a machine whose clock is not in the zone has its true length', async () => {
    const list = Array.from({ length: 36 }, (_, i) => {
      const minute = 65 + 5 * i;
      const time = `0${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}:00`;
      return `${time} | ##### PlayerList log: 1 players\n`;
    }).join('');
    const { a } = await counted(
      `${header('2025-10-26 01:00:00')}01:01:00 | Player "A" is connected (id=${idA})\n${list}04:05:00 | Player "A"(id=${idA}) has been disconnected\n`,
      'Europe/Berlin',
    );
    expect(a).toMatchObject({ total_play_seconds: 3 * 3600 + 4 * 60 });
  });

  test('the longest life is connected time between deaths, through restarts; the running life counts', async () => {
    const { a } = await counted(
      `${run(
        `12:00:00 | Player "A" is connected (id=${idA})`,
        `12:10:00 | ${deadA} bled out`,
        `12:15:00 | Player "A"(id=${idA}) has been disconnected`,
        `12:45:00 | Player "A" is connected (id=${idA})`,
      )}13:00:00 | #####${header('2024-05-01 14:00:00')}14:00:00 | Player "A"(id=${idA}) is connected\n14:12:00 | Player "A"(id=${idA}) has been disconnected\n`,
    );
    // 5 + 15 minutes of the first run and 12 of the second.
    expect(a).toMatchObject({ longest_life_seconds: 32 * 60, total_play_seconds: 42 * 60, deaths: 1 });
  });

  test('lives of two servers do not join', async () => {
    const db = await temporaryStore(['s', 't']);
    for (const [serverId, hour] of [
      ['s', 12],
      ['t', 13],
    ] as const) {
      const text = run(
        `${hour}:00:00 | Player "A"(id=${idA}) is connected`,
        `${hour}:10:00 | Player "A"(id=${idA}) has been disconnected`,
      );
      await importLogs(db, { serverId, files: temporaryFiles({ 'x.ADM': text }) });
    }
    expect(await statsOf(db, idA)).toMatchObject({ longest_life_seconds: 600, total_play_seconds: 1200 });
  });
});

describe('forms of other years and platforms', () => {
  test('2015: SteamID64s as ids', async () => {
    const { a, b } = await counted(
      run(
        '12:00:00 | Player "A"(id=76561197998690788) is connected',
        '12:00:30 | Player "A"(id=76561197998690788) has been killed by player "B"(id=76561198207985320)',
        '12:01:00 | Player "A"(id=76561197998690788) has been disconnected',
      ),
    );
    expect(a).toMatchObject({ deaths: 1, total_play_seconds: 60 });
    expect(b).toMatchObject({ player_kills: 1 });
  });

  test('one person under a SteamID64 and a DayZ id in one log is one player', async () => {
    const { a } = await counted(
      run(
        '12:00:00 | Player "A"(id=76561197998690788) is connected',
        '12:00:30 | Player "A"(id=76561197998690788) has been disconnected',
        `12:01:00 | Player "A"(id=${idA}) is connected`,
        `12:01:30 | Player "A"(id=${idA}) has been disconnected`,
      ),
    );
    expect(a).toMatchObject({ total_play_seconds: 60 });
  });

  test('a header from before there were time zones hurts nobody', async () => {
    const { a } = await counted(
      `${header('1850-01-01 12:00:00')}12:00:00 | Player "A"(id=${idA}) is connected\n12:00:09 | Player "A"(id=${idA}) has been disconnected\n`,
      'Europe/Amsterdam',
    );
    expect(a).toMatchObject({ total_play_seconds: 9 });
  });

  test('Xbox ids are 40 upper-case hex digits', async () => {
    const db = await temporaryStore();
    const xbox = '0123456789ABCDEF0123456789ABCDEF01234567';
    const text = run(
      `12:00:00 | Player "X"(id=${xbox}) is connected`,
      `12:00:09 | Player "X"(id=${xbox}) has been disconnected`,
    );
    await importLogs(db, { serverId: 's', files: temporaryFiles({ 'DayZServer_X1_x64.ADM': text }) });
    expect(await statsOf(db, xbox)).toMatchObject({ total_play_seconds: 9 });
  });

  test('names without quotes, as they could be up to 1.25', async () => {
    const { a, b } = await counted(
      run(
        `12:00:00 | Player Survivor is connected (id=${idA})`,
        `12:00:10 | Player Survivor (DEAD) (id=${idA} pos=<1, 2, 3>) killed by Player Other (2) (id=${idB} pos=<1, 2, 3>) with SVD from 9 meters `,
      ),
    );
    expect(a).toMatchObject({ deaths: 1, total_play_seconds: 10 });
    expect(b).toMatchObject({ player_kills: 1, longest_kill_meters: 9 });
  });

  test('a player who is only listed has figures of 0, and none of what an admin log never says', async () => {
    const { a } = await counted(
      run('12:00:00 | ##### PlayerList log: 1 players', `12:00:00 | ${A}`, '12:00:00 | #####'),
    );
    expect(a).toMatchObject({
      player_kills: 0,
      deaths: 0,
      suicides: 0,
      zombie_kills: null,
      animal_kills: null,
      total_play_seconds: 0,
      longest_life_seconds: 0,
      longest_hit_meters: null,
      longest_kill_meters: null,
    });
  });
});

test('of more players than a server ever has, the first ten thousand count, and what others do to them', async () => {
  const crowd = Array.from({ length: 10_010 }, (_, i) => {
    const id = `${createHash('sha256').update(String(i)).digest('base64url')}=`;
    return { id, player: `Player "n${i}" (id=${id} pos=<1, 2, 3>)` };
  });
  const [first, last] = [crowd[0], crowd.at(-1)] as [(typeof crowd)[0], (typeof crowd)[0]];
  const db = await temporaryStore();
  const text = run(
    ...crowd.map(({ player }) => `12:00:01 | ${player} is connected`),
    `12:00:02 | ${first.player} killed by ${last.player} with M4-A1 from 3 meters `,
  );
  const report = await importLogs(db, { serverId: 's', files: temporaryFiles({ 'x.ADM': text }) });
  expect(report.players).toBe(10_000);
  expect(await statsOf(db, first.id)).toMatchObject({ deaths: 1 });
  expect(await statsOf(db, last.id)).toBeUndefined();
});
