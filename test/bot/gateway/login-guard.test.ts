import { expect, it } from 'vitest';
import { startWorld, until } from '../discord-world.ts';

it('spreads the second half of a day’s logins over the rest of the day', async () => {
  await using world = await startWorld({ discord: { sessionStarts: 6 } });
  await world.bot.ready;
  for (let i = 0; i < 2; i += 1) await world.restart();
  const waiting = world.restart();
  await until(() => world.lines.some(({ msg }) => msg.includes('the bot waits 480 min before it logs in')));
  expect(world.discord.gateway.identifies).toBe(3);
  await world.bot.stop();
  await waiting;
});

it('counts no RESUME', async () => {
  await using world = await startWorld({ discord: { sessionStarts: 2 } });
  await world.bot.ready;
  world.discord.gateway.dropAll();
  await until(() => world.discord.gateway.resumes === 1);
  expect(world.discord.gateway.identifies).toBe(1);
});
