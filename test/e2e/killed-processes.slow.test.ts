import { expect, it } from 'vitest';
import { killWhilePosting } from '../following/kill-feed.ts';
import { killsOr, killWhileFollowing, withoutCuts } from '../following/kill.ts';

const kills = killsOr(12);

// They wait at random moments, and for processes to start, so they run side by side.
it.concurrent(
  'holds the same where the killed process reads by SFTP, over a link that is cut as well',
  async () => {
    const { cuts, killed, undisturbed } = await killWhileFollowing({ kills, seed: 12, overSftp: true });
    expect(cuts).toBeGreaterThan(0);
    expect(killed).toEqual(undisturbed);
    expect(undisturbed['log_run']).toHaveLength(3);
  },
);

it.concurrent(
  'holds, after kills at random moments while a log grows, what it holds undisturbed',
  async () => {
    const { killed, undisturbed } = await killWhileFollowing({ kills, seed: 11 });
    expect(killed).toEqual(undisturbed);
    expect(undisturbed['log_run']).toHaveLength(3);
    expect(undisturbed['player_stats']?.length).toBeGreaterThan(100);
  },
);

it.concurrent('counts what the whole logs count, where a tool copies the log and empties it', async () => {
  const { killed, undisturbed, whole } = await killWhileFollowing({ kills, seed: 13, logCuts: 12 });
  expect(killed).toEqual(undisturbed);
  expect(killed['log_run']).toHaveLength(3 + 12);
  expect(whole['death']?.length).toBeGreaterThan(10);
  expect(withoutCuts(killed)).toEqual(whole);
});

it.concurrent(
  'posts each kill of a log once, although the process is killed again and again while it posts',
  async () => {
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
    const { died, posted } = await killWhilePosting({ kills, seed: 7, ofVisits: true });
    expect(died.length).toBeGreaterThanOrEqual(kills);
    expect(posted).toEqual(died);
  },
);
