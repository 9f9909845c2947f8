import { expect, it } from 'vitest';
import { killWhilePosting } from '../following/kill-feed.ts';

it('posts each kill of a log once, although the process is killed fifty times while it posts', async () => {
  const { died, posted, limited } = await killWhilePosting({ kills: 50, seed: 3 });
  expect(posted).toEqual(died);
  // Each process counts its own messages only.
  expect(limited).toBeLessThan(25);
});
