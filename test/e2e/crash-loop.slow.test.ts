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
  discord = await startLocalDiscord({ token, sessionStarts: 6 });
});
afterEach(async () => {
  await place.remove();
  await discord.close();
});

it('waits before each login once crashes used up half of those of a day', async () => {
  const environment = { DISCORD_TOKEN: token, DISCORD_API_URL: discord.apiUrl };
  for (let crash = 1; crash <= 3; crash += 1) {
    const outpost = await place.start(environment);
    await expect.poll(() => discord.gateway.identifies).toBe(crash);
    outpost.signal('SIGKILL');
    await outpost.ended;
  }
  const outpost = await place.start(environment);
  await outpost.logged('before it logs in to Discord, which allows 6 logins a day and has 3 left');
  expect((await fetch(`${outpost.url}/healthz`)).status).toBe(200);
  expect((await outpost.stop()).code).toBe(0);
  expect(discord.gateway.identifies).toBe(3);
});
