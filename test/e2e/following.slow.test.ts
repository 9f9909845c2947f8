import { expect, it } from 'vitest';
import { figureTables, killsOr, killWhileFollowing } from '../following/kill.ts';

const kills = killsOr(12);

// They kill processes, and wait for them, at random moments.
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
  for (const held of [killed, undisturbed]) {
    for (const table of figureTables) expect(held[table]).toEqual(whole[table]);
  }
});
