import { expect, test } from 'vitest';
import {
  endChallenge,
  startChallenge,
} from '../../../../../src/server/store/repositories/links/challenges.ts';
import { temporaryStore } from '../../../ingest/fixture.ts';

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
