import { afterEach, beforeEach, expect, it } from 'vitest';
import { startLocalDiscord, type LocalDiscord } from 'local-discord';
import { northwood } from '../harness/northwood.ts';
import { createWorkplace, type Workplace } from '../harness/outpost-process.ts';

const token = 'local-bot-token';
let place: Workplace;
let discord: LocalDiscord;
beforeEach(async () => {
  place = await createWorkplace();
  await place.configure({ ...northwood(), discord: {} });
  discord = await startLocalDiscord({ token });
});
afterEach(async () => {
  await place.remove();
  await discord.close();
});

it('waits longer between logins after each crash, until an owner stops and starts it', async () => {
  const environment = { DISCORD_TOKEN: token, DISCORD_API_URL: discord.apiUrl };
  const waits = 'before it logs in to Discord: the last ';
  // Five logins are free. On a slow machine, the first waits may be over before the next start.
  for (;;) {
    const outpost = await place.start(environment);
    const before = discord.gateway.identifies;
    await expect
      .poll(() => discord.gateway.identifies > before || outpost.output().includes(waits))
      .toBe(true);
    if (outpost.output().includes(waits)) {
      expect((await fetch(`${outpost.url}/healthz`)).status).toBe(200);
      expect((await outpost.stop()).code).toBe(0);
      break;
    }
    outpost.signal('SIGKILL');
    await outpost.ended;
  }
  const before = discord.gateway.identifies;
  expect(before).toBeGreaterThanOrEqual(5);
  expect(before).toBeLessThan(15);
  const restarted = await place.start(environment);
  await restarted.logged('the bot is online');
  expect(discord.gateway.identifies).toBe(before + 1);
  expect(restarted.output()).not.toContain(waits);
});
