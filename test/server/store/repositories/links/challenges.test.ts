import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  endChallenge,
  findChallenge,
  startChallenge,
} from '../../../../../src/server/store/repositories/links/challenges.ts';
import { createTestClock } from '../../../../harness/clock.ts';
import { createSourceWatch } from '../../../../harness/logs.ts';
import { header, idA, temporaryFolder, temporaryStore } from '../../../ingest/fixture.ts';

test('many members prove who they are in one hour, as after an announcement', async () => {
  const db = await temporaryStore();
  const start = async (member: number) =>
    await startChallenge(db, 'p', String(member), { now: 1_000, draw: () => [`a${member}`, 'b', 'c'] });
  for (let member = 1; member <= 250; member += 1) {
    expect(await start(member)).toBe('started');
    await endChallenge(db, 'p', String(member));
  }
  // Those who are on the way at once are bounded.
  const outcomes: string[] = [];
  for (let member = 251; member <= 451; member += 1) outcomes.push(await start(member));
  expect(outcomes.slice(0, -1)).not.toContain('busy');
  expect(outcomes.at(-1)).toBe('busy');
});

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
    await startChallenge(db, 'p', '1', { now: clock.now(), draw: () => gestures });
    for (const gesture of gestures) {
      clock.advance(10_000);
      const line = `${local().slice(11)} | Player "Ann" (id=${idA} pos=<1.0, 2.0, 3.0>) performed ${gesture}\n`;
      appendFileSync(log, line);
      await poll();
    }
    expect(await findChallenge(db, 'p', '1', clock.now())).toMatchObject({ seen: 3, found: { playerId: 1 } });
  },
);
