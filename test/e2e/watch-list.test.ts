import { expect, it } from 'vitest';
import { killWhilePosting } from '../following/kill-feed.ts';

it('posts each stay of a watched player once, although the process is killed while it posts', async () => {
  const { died, posted } = await killWhilePosting({ kills: 2, seed: 5, ofVisits: true });
  expect(died.length).toBeGreaterThanOrEqual(2);
  expect(posted).toEqual(died);
}, 400_000);
