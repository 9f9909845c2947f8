import { expect, it } from 'vitest';
import { killWhilePosting } from '../following/kill-feed.ts';
import { killsOr } from '../following/kill.ts';

it('posts each stay of a watched player once, although the process is killed again and again', async () => {
  const kills = killsOr(20);
  const { died, posted } = await killWhilePosting({ kills, seed: 7, ofVisits: true });
  expect(died.length).toBeGreaterThanOrEqual(kills);
  expect(posted).toEqual(died);
});
