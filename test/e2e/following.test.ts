import { expect, it } from 'vitest';
import { killWhileFollowing } from '../following/kill.ts';

it('holds, after kills at random moments while a log grows, what it holds undisturbed (npm run kill-test: 200)', async () => {
  const { killed, undisturbed } = await killWhileFollowing({ kills: 5, seed: 7 });
  expect(killed).toEqual(undisturbed);
  expect(undisturbed['log_run']).toHaveLength(3);
  expect(undisturbed['player_stats']?.length).toBeGreaterThan(100);
}, 240_000);
