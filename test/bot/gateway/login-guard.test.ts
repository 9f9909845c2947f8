import { Keyv } from 'keyv';
import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { LoginGuard } from '../../../src/bot/gateway/login-guard.ts';
import { createTestClock, type TestClock } from '../../harness/clock.ts';
import { startWorld, until } from '../discord-world.ts';

const day = 24 * 3_600_000;

let clock: TestClock;
let keyv: Keyv;
let logged: string[];
beforeEach(() => {
  clock = createTestClock();
  keyv = new Keyv();
  logged = [];
});

const log = pino(
  {},
  { write: (line: string) => void logged.push((JSON.parse(line) as { msg: string }).msg) },
);
const { signal } = new AbortController();

/** Starts a process that logs in. Returns how long it waits for its turn. */
async function logIn(): Promise<number> {
  let slept = 0;
  const guard = guardWith(
    async () => undefined,
    async (ms) => {
      slept += ms;
      clock.advance(ms);
    },
  );
  await guard.turn(signal);
  return slept;
}

const guardWith = (probe: () => Promise<unknown>, sleep?: (ms: number) => Promise<void>): LoginGuard =>
  new LoginGuard({ keyv, log, now: clock.now, probe, ...(sleep && { sleep }), sessionLastsMs: 600_000 });

it('lets five starts go on at once, then waits longer after each, up to an hour', async () => {
  const waits: number[] = [];
  for (let crash = 0; crash < 16; crash += 1) waits.push((await logIn()) / 1_000);
  expect(waits).toEqual([0, 0, 0, 0, 0, 10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600]);
  expect(logged[2]).toContain('waits 40 s before it logs in to Discord: the last 7 logins ended in a crash');
});

it('leaves most of the logins of a day, however long a bot crashes', async () => {
  let logins = 0;
  for (const end = clock.monotonic() + day; clock.monotonic() < end; logins += 1) {
    await logIn();
    clock.advance(1_000);
  }
  expect(logins).toBeLessThan(50);
});

it('waits only for what is left of the time since the last login', async () => {
  for (let crash = 0; crash < 6; crash += 1) await logIn();
  clock.advance(15_000);
  expect(await logIn()).toBe(5_000);
});

it('waits no longer than usual where the clock was set back', async () => {
  for (let crash = 0; crash < 6; crash += 1) await logIn();
  clock.step(-day);
  expect(await logIn()).toBe(20_000);
});

it('counts a start before it logs in, and none where Discord cannot be reached', async () => {
  const guard = guardWith(() => Promise.reject(new Error('no network')));
  await expect(guard.turn(signal)).rejects.toThrow('no network');
  expect(await keyv.get('logins')).toBeUndefined();
  await logIn();
  expect(await keyv.get('logins')).toEqual({ starts: 1, lastAt: clock.now() });
});

describe('the bot', () => {
  it('counts no RESUME, and takes a session that lasts for a good one', async () => {
    await using world = await startWorld({ bot: { timing: { sessionLastsMs: 20 } } });
    await world.bot.ready;
    const stored = async () => (await world.keyv.get('logins')) as { starts: number };
    while ((await stored()).starts !== 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const before = await stored();
    world.discord.gateway.dropAll();
    await until(() => world.discord.gateway.resumes === 1);
    expect(await stored()).toEqual(before);
  });

  it('logs in at once after each stop, but waits after refusals', async () => {
    await using world = await startWorld();
    await world.bot.ready;
    for (let i = 0; i < 8; i += 1) await world.restart();
    expect(world.discord.gateway.logins).toBe(9);
    await world.bot.stop();
    world.discord.gateway.refuseIdentify(4014, Infinity);
    for (let i = 0; i < 5; i += 1) await world.restart();
    const waiting = world.restart();
    await until(() => world.lines.some(({ msg }) => msg.includes('the bot waits 10 s')));
    expect(world.discord.gateway.logins).toBe(14);
    await world.bot.stop();
    await waiting;
  });
});
