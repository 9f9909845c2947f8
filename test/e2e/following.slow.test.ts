import { expect, it } from 'vitest';
import { killWhileFollowing } from '../following/kill.ts';

it('holds, after twenty kills at random moments while a log grows, what it holds undisturbed', async () => {
  const { killed, undisturbed } = await killWhileFollowing({ kills: 20, seed: 11 });
  expect(killed).toEqual(undisturbed);
  expect(undisturbed['log_run']).toHaveLength(3);
  expect(undisturbed['player_stats']?.length).toBeGreaterThan(100);
});
