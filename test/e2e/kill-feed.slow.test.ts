import { expect, it } from 'vitest';
import { killWhilePosting } from '../following/kill-feed.ts';
import { killsOr } from '../following/kill.ts';

// They kill processes, and wait for them, at random moments.
it.concurrent(
  'posts each kill of a log once, although the process is killed again and again while it posts',
  async () => {
    const kills = killsOr(15);
    const { died, posted, limited } = await killWhilePosting({ kills, seed: 3 });
    expect(died.length).toBeGreaterThanOrEqual(kills);
    expect(posted).toEqual(died);
    // Each process counts its own messages only.
    expect(limited).toBeLessThanOrEqual(kills / 2);
  },
);

it.concurrent(
  'posts each stay of a watched player once, although the process is killed again and again',
  async () => {
    const kills = killsOr(20);
    const { died, posted } = await killWhilePosting({ kills, seed: 7, ofVisits: true });
    expect(died.length).toBeGreaterThanOrEqual(kills);
    expect(posted).toEqual(died);
  },
);
