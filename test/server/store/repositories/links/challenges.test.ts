import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { drawGestures } from '../../../../../src/community/gesture-draw.ts';
import { seededRandom } from '../../../../../src/demo/random.ts';
import {
  confirmChallenge,
  countGestures,
  endChallenge,
  findChallenge,
  type PlayerGesture,
  startChallenge,
} from '../../../../../src/server/store/repositories/links/challenges.ts';
import { createTestClock } from '../../../../harness/clock.ts';
import { createSourceWatch } from '../../../../harness/logs.ts';
import { pick, pool } from './gesture-lines.ts';
import { header, idA, temporaryFolder, temporaryStore } from '../../../ingest/fixture.ts';

const minuteMs = 60_000;
const draw = (): string[] => ['EmoteSalute', 'EmoteNod', 'EmoteHeart'];

test('many members prove who they are in one hour, as after an announcement', async () => {
  const db = await temporaryStore();
  for (let member = 1; member <= 250; member += 1) {
    const who = { userId: String(member), guildId: '9' };
    expect(await startChallenge(db, 'p', who, { now: 1_000, draw })).toBe('started');
    await endChallenge(db, 'p', String(member));
  }
});

test('two hundred members of a Discord server wait at once, others until the first of them is through', async () => {
  const db = await temporaryStore();
  let open = 0;
  const start = async (userId: number, now: number, guildId = '9') =>
    await startChallenge(
      db,
      'p',
      { userId: String(userId), guildId },
      {
        now,
        draw: (waiting) => {
          open = waiting;
          return draw();
        },
      },
    );
  for (let member = 1; member <= 200; member += 1) expect(await start(member, member)).toBe('started');
  expect(open).toBe(200);
  expect(await start(201, 1_000)).toEqual({ refused: 'busy', until: 15 * minuteMs + 1 });
  // Members of another Discord server of the project do not wait for them, nor a member who draws again.
  expect(await start(202, 1_000, '8')).toBe('started');
  expect(await start(1, 1_000)).toBe('started');
  expect(await start(201, 15 * minuteMs + 1)).toEqual({ refused: 'busy', until: 15 * minuteMs + 2 });
  expect(await start(201, 15 * minuteMs + 2)).toBe('started');
  expect(open).toBe(202);
  expect(await start(203, 40 * minuteMs)).toBe('started');
  expect(open).toBe(1);
});

test('a member draws three times at will, then more and more rarely, and anew after a day', async () => {
  const db = await temporaryStore();
  const start = async (now: number) =>
    await startChallenge(db, 'p', { userId: '1', guildId: '9' }, { now, draw });
  for (const now of [1, 2, 3]) expect(await start(now)).toBe('started');
  let now = 3;
  const waits: number[] = [];
  for (let draws = 4; draws <= 10; draws += 1) {
    const refused = await start(now + 1);
    if (refused === 'started') throw new Error('nobody waits');
    expect(refused.refused).toBe('often');
    expect(await start(refused.until - 1)).toEqual(refused);
    waits.push((refused.until - now) / minuteMs);
    now = refused.until;
    expect(await start(now)).toBe('started');
  }
  expect(waits).toEqual([15, 30, 60, 120, 240, 480, 960]);
  expect(await start(now + 24 * 60 * minuteMs - 1)).toMatchObject({ refused: 'often' });
  for (const later of [0, 1, 2]) expect(await start(now + 24 * 60 * minuteMs + later)).toBe('started');
});

test('from logs that come a quarter of an hour late, 1,000 of 1,000 members are found', async () => {
  const db = await temporaryStore();
  const rnd = seededRandom(1);
  const players = await db
    .insertInto('player')
    .values(Array.from({ length: 1_000 }, (_, id) => ({ project_id: 'p', dayz_id: `id ${id}` })))
    .returning('id')
    .execute();
  const groups = Array.from({ length: 20 }, (_, group) => players.slice(group * 50, group * 50 + 50));
  let right = 0;
  for (const [group, members] of groups.entries()) {
    const now = group * 60 * minuteMs;
    const made: PlayerGesture[] = [];
    for (const { id: playerId } of members) {
      const who = { userId: String(playerId), guildId: '9' };
      const drawn = { now, draw: (waiting: number) => drawGestures(pool, waiting) };
      expect(await startChallenge(db, 'p', who, drawn)).toBe('started');
      const { gestures = [] } = (await findChallenge(db, 'p', who.userId, now)) ?? {};
      // Each in his own time, and after other gestures.
      let at = now + Math.floor(rnd() * 10 * minuteMs);
      for (const gesture of [pick(rnd, pool), 'EmoteSitA', ...gestures]) {
        at += 2_000 + Math.floor((rnd() * 100_000) / gestures.length);
        made.push({ playerId, gesture, at, cameAt: rnd() < 0.5 ? null : at + 15 * minuteMs });
      }
    }
    made.sort((one, other) => one.at - other.at);
    for (let from = 0; from < made.length; from += 40) {
      // Some lines are read twice.
      const lines = made.slice(Math.max(0, from - 10), from + 40);
      await db.transaction().execute(async (tx) => await countGestures(tx, 'p', lines));
    }
    for (const { id: playerId } of members) {
      const later = now + 30 * minuteMs;
      const challenge = await findChallenge(db, 'p', String(playerId), later);
      expect(challenge?.found).toEqual({ playerId });
      const confirmed = { playerId, now: later };
      if ((await confirmChallenge(db, 'p', String(playerId), confirmed)) === 'linked') right += 1;
    }
  }
  expect(right).toBe(1_000);
}, 300_000);

test.each([-20, -5, -2, 2, 300])(
  'gestures count where the clock of the game server is %i minutes off',
  async (minutes) => {
    const db = await temporaryStore();
    const folder = temporaryFolder();
    const log = join(folder, 'DayZServer_x64.ADM');
    const clock = createTestClock(Date.UTC(2024, 4, 1, 12));
    const source = createSourceWatch(db, { clock });
    const local = () => new Date(clock.now() + minutes * 60_000).toISOString().slice(0, 19).replace('T', ' ');
    const poll = () => source.followOn({ servers: [{ id: 's', logs: folder }], banlists: [] });
    writeFileSync(log, header(local()));
    await poll();
    const gestures = ['EmoteSalute', 'EmoteNod', 'EmoteHeart'];
    await startChallenge(db, 'p', { userId: '1', guildId: '9' }, { now: clock.now(), draw: () => gestures });
    for (const gesture of gestures) {
      clock.advance(10_000);
      const line = `${local().slice(11)} | Player "Ann" (id=${idA} pos=<1.0, 2.0, 3.0>) performed ${gesture}\n`;
      appendFileSync(log, line);
      await poll();
    }
    expect(await findChallenge(db, 'p', '1', clock.now())).toMatchObject({ seen: 3, found: { playerId: 1 } });
  },
);
