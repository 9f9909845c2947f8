import { Keyv } from 'keyv';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startLocalDiscord, type LocalDiscord } from 'local-discord';
import { IdentifyBudget } from '../../../src/bot/gateway/identify-budget.ts';
import { createRest } from '../../../src/bot/rest.ts';
import { leasesByName } from '../../../src/process/leases-by-name.ts';
import { soleProcess } from '../../../src/process/leases.ts';
import { ShardClient } from '../../../src/bot/gateway/shards/shard-client.ts';
import { createTestClock, type TestClock } from '../../harness/clock.ts';
import { startWorld, token, until } from '../discord-world.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

let clock: TestClock;
let keyv: Keyv;
let discord: LocalDiscord;
let logged: string[];
/** The logins, by the wall clock and by Discord's. */
let logins: { at: number; discordAt: number }[];

/** Nobody sets Discord's clock. */
const discordTime = (): number => clock.monotonic();

beforeEach(async () => {
  clock = createTestClock();
  keyv = new Keyv();
  logged = [];
  logins = [];
  discord = await startLocalDiscord({ token, now: discordTime });
});
afterEach(async () => await discord.close());

const log = pino(
  {},
  { write: (line: string) => void logged.push((JSON.parse(line) as { msg: string }).msg) },
);

/** What Discord says of so many logins within a day, in place of a thousand requests. */
async function limitOfDiscord(): Promise<unknown> {
  const today = logins.filter(({ discordAt }) => discordTime() - discordAt < 24 * hour);
  const resetMs = (today[0]?.discordAt ?? discordTime()) + 24 * hour - discordTime();
  return { session_start_limit: { total: 1_000, remaining: 1_000 - today.length, reset_after: resetMs } };
}

/** A process that waits for its turn by the test's clock. */
interface Start {
  budget: IdentifyBudget;
  /** Resolves with the time left when it has to wait, or null once it may log in. */
  waits: () => Promise<number | null>;
}

function start(readLimit?: () => Promise<unknown>, botToken = token): Start {
  const abort = new AbortController();
  let asleep: (ms: number) => void = () => undefined;
  let sleepUntil = 0;
  let wake: () => void = () => undefined;
  const budget = new IdentifyBudget({
    token: botToken,
    keyv,
    log,
    now: clock.now,
    monotonic: clock.monotonic,
    leases: leasesByName(soleProcess()),
    shardCount: () => 1,
    readLimit: readLimit ?? limitOfDiscord,
    gapMs: 0,
    sleep(ms) {
      sleepUntil = clock.monotonic() + ms;
      asleep(ms);
      return new Promise<void>((resolve) => (wake = resolve));
    },
  });
  let turn: Promise<void> | undefined;
  return {
    budget,
    async waits() {
      const fallsAsleep = new Promise<number>((resolve) => (asleep = resolve));
      if (turn !== undefined && clock.monotonic() < sleepUntil) return sleepUntil - clock.monotonic();
      if (turn === undefined) turn = budget.turn(abort.signal);
      else wake();
      return await Promise.race([turn.then(() => null), fallsAsleep]);
    },
  };
}

/** Logs in with the real discord.js, as far as READY or a refusal, and leaves without a word, as a crash does. */
async function logIn({ budget }: Start): Promise<void> {
  const shard = new ShardClient({
    token,
    apiUrl: discord.apiUrl,
    log,
    shard: { id: 0, count: 1 },
    onInteraction: () => undefined,
    onRefused: () => undefined,
    beforeIdentify: (signal) => budget.spend(signal),
  });
  await shard.connect();
  await shard.destroy();
}

/** The same as far as it is counted. */
async function spend({ budget }: Start): Promise<void> {
  await budget.spend(new AbortController().signal);
  logins.push({ at: clock.now(), discordAt: discordTime() });
}

/** A process that crashes `upMs` after its start, or at once when it is logged in. */
async function crash(upMs: number): Promise<void> {
  const process = start();
  const wait = await process.waits();
  if (wait !== null && wait > upMs) return clock.advance(upMs);
  if (wait !== null) {
    clock.advance(wait);
    expect(await process.waits()).toBeNull();
  }
  await spend(process);
  clock.advance(second);
}

const mostInADay = (): number =>
  Math.max(
    ...logins.map(({ at }) => logins.filter((other) => other.at <= at && at - other.at < 24 * hour).length),
  );

describe('a supervisor that restarts a crashing process', () => {
  it('needs a few logins for 1,000 starts, and the log says why it waits', async () => {
    for (let i = 0; i < 1_000; i += 1) await crash(30 * second);
    expect(logins.length).toBeGreaterThan(5);
    expect(logins.length).toBeLessThan(30);
    const waits = logged.filter((line) => line.startsWith('the bot waits'));
    expect(waits[0]).toMatch(/^the bot waits 9 s .*: the last 5 logins ended in a crash or were refused\./);
    expect(waits.at(-1)).toMatch(/^the bot waits \d+ min /);
  });

  it('needs fewer than 100 although each start finds an empty data folder', async () => {
    for (let i = 0; i < 1_000; i += 1) {
      keyv = new Keyv();
      await crash(30 * second);
    }
    expect(logins.length).toBeGreaterThan(10);
    expect(logins.length).toBeLessThanOrEqual(100);
  });

  it('never needs 100 within a day, however patiently it waits', async () => {
    for (let i = 0; i < 120; i += 1) await crash(24 * hour);
    expect(logins).toHaveLength(120);
    expect(mostInADay()).toBeLessThan(50);
  });

  it.each([-hour, hour, -30 * 24 * hour, 30 * 24 * hour])(
    'needs no more when the clock is set by %d ms at each start',
    async (ms) => {
      for (let i = 0; i < 100; i += 1) {
        clock.step(ms);
        await crash(30 * second);
      }
      expect(logins.length).toBeLessThanOrEqual(60);
    },
  );
});

it('waits no longer than an hour after a clock that ran a year ahead was corrected', async () => {
  clock.step(365 * 24 * hour);
  for (let i = 0; i < 20; i += 1) await crash(24 * hour);
  clock.step(-365 * 24 * hour);
  const wait = await start().waits();
  expect(wait).toBeGreaterThan(30 * minute);
  expect(wait).toBeLessThanOrEqual(hour);
});

describe('an owner', () => {
  it('restarts ten times in an hour without any wait, although the process crashed before', async () => {
    for (let i = 0; i < 8; i += 1) await crash(24 * hour);
    await start().budget.settle();
    for (let i = 0; i < 10; i += 1) {
      const process = start();
      expect(await process.waits()).toBeNull();
      await spend(process);
      await process.budget.settle();
      clock.advance(6 * minute);
    }
  });

  it('waits for nothing after setting another token, and the store does not contain it', async () => {
    for (let i = 0; i < 8; i += 1) await crash(24 * hour);
    expect(await start().waits()).toBeGreaterThan(0);
    expect(await start(undefined, 'another-token').waits()).toBeNull();
    expect(JSON.stringify(await keyv.get('identifies'))).not.toContain(token);
  });

  it('is held back by restarts without end only, and never reaches 100 a day', async () => {
    for (let i = 0; i < 150; i += 1) {
      const process = start();
      const wait = await process.waits();
      if (wait !== null) clock.advance(wait);
      await process.waits();
      await spend(process);
      await process.budget.settle();
      clock.advance(second);
    }
    expect(mostInADay()).toBeGreaterThanOrEqual(50);
    expect(mostInADay()).toBeLessThan(100);
  });
});

it('waits until Discord allows logins again, and says so', async () => {
  await discord.close();
  discord = await startLocalDiscord({ token, now: discordTime, sessionStarts: 1 });
  const readLimit = () => createRest({ token, apiUrl: discord.apiUrl }).get('/gateway/bot');
  const first = start(readLimit);
  expect(await first.waits()).toBeNull();
  await logIn(first);
  await first.budget.settle();
  const second = start(readLimit);
  expect(await second.waits()).toBe(24 * hour);
  expect(logged.at(-1)).toContain('the bot waits 1440 min before it logs in to Discord: Discord allows');
  clock.advance(24 * hour);
  expect(await second.waits()).toBeNull();
  await logIn(second);
  expect(discord.gateway.connected + discord.gateway.identifies).toBe(2);
});

describe("Discord's limit", () => {
  const limitOnce = (remaining: number, resetAfter: number) => {
    let reads = 0;
    return async () => {
      if ((reads += 1) > 1) throw new Error('unreachable');
      return { session_start_limit: { total: 1_000, remaining, reset_after: resetAfter } };
    };
  };

  it('keeps its last 100 logins unused', async () => {
    const process = start(limitOnce(100, hour));
    expect(await process.waits()).toBe(hour);
    expect(logged.at(-1)).toContain('Discord allows this bot only 100 more logins until then');
  });

  it('no longer counts once it was reset, although Discord cannot be asked again', async () => {
    const process = start(limitOnce(0, hour));
    expect(await process.waits()).toBe(hour);
    clock.advance(hour);
    expect(await process.waits()).toBeNull();
  });

  it('does not delay logins of a process that runs for longer than a day', async () => {
    const process = start(limitOnce(900, hour));
    clock.advance(hour);
    expect(await process.waits()).toBeNull();
    clock.advance(48 * hour);
    const { signal } = new AbortController();
    for (let login = 0; login < 3; login += 1) {
      let done = false;
      void process.budget.spend(signal).then(() => (done = true));
      await until(() => done || logged.some((line) => line.startsWith('the bot waits')));
      clock.advance(minute);
    }
    expect(logged.filter((line) => line.startsWith('the bot waits'))).toEqual([]);
  });

  it('counts the logins since it was read', async () => {
    const process = start(limitOnce(101, hour));
    clock.advance(hour);
    expect(await process.waits()).toBeNull();
    const { signal } = new AbortController();
    await process.budget.spend(signal);
    void process.budget.spend(signal);
    await until(() => logged.some((line) => line.includes('Discord allows this bot only 100 more logins')));
  });
});

it('counts each login that Discord receives, whether it leads to READY or not', async () => {
  await logIn(start());
  await logIn(start());
  discord.gateway.refuseIdentify(4014, Infinity);
  await logIn(start());
  expect(discord.gateway.logins).toBe(3);
  expect(await keyv.get('identifies')).toMatchObject({ cutShort: 3 });
});

it('counts a login before it is sent, and goes on when nothing can be stored', async () => {
  keyv.throwOnErrors = true;
  keyv.set = () => Promise.reject(new Error('disk full'));
  const process = start();
  await process.waits();
  await logIn(process);
  expect(discord.gateway.identifies).toBe(1);
  expect(logged).toContain("could not store the history of the bot's logins");
});

it.each([[null], ['text'], [{ lastAt: 'x', cutShort: -3 }], [{ lastAt: null, cutShort: 1e9 + 0.5 }]])(
  'starts anew from a history that is none: %j',
  async (stored) => {
    await keyv.set('identifies', stored);
    expect(await start().waits()).toBeNull();
  },
);

it('goes on from the history of an earlier version', async () => {
  await keyv.set('identifies', { times: [clock.now()], cutShort: 8 });
  expect(await start().waits()).toBeGreaterThan(0);
});

describe('the bot', () => {
  it('counts no RESUME, and takes a session that lasts for a good one', async () => {
    await using world = await startWorld({ bot: { timing: { sessionLastsMs: 20 } } });
    await world.bot.ready;
    const history = async () => (await world.keyv.get('identifies')) as { lastAt: number; cutShort: number };
    while ((await history()).cutShort !== 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const before = await history();
    expect(before.lastAt).toEqual(expect.any(Number));
    world.discord.gateway.dropAll();
    await until(() => world.discord.gateway.resumes === 1);
    expect(await history()).toEqual({ ...before, cutShort: 0 });
  });

  it('logs in at once after each stop, but waits after refusals', async () => {
    await using world = await startWorld();
    for (let i = 0; i < 8; i += 1) await world.restart();
    expect(world.discord.gateway.logins).toBeGreaterThanOrEqual(8);
    expect(world.lines.filter(({ msg }) => msg.includes('the bot waits'))).toEqual([]);
    await world.bot.stop();
    world.discord.gateway.refuseIdentify(4014, Infinity);
    const before = world.discord.gateway.logins;
    for (let i = 0; i < 5; i += 1) await world.restart();
    const waiting = world.restart();
    await until(() => world.lines.some(({ msg }) => msg.includes('the bot waits 10 s')));
    expect(world.discord.gateway.logins).toBe(before + 5);
    await world.bot.stop();
    await waiting;
  });
});
