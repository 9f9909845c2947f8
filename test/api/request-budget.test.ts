import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRequestBudget, type Caller, type RequestBudget } from '../../src/api/request-budget.ts';

let budget: RequestBudget;
/** When which request went out, in ms. */
let sent: { caller: Caller; at: number }[];

beforeEach(() => {
  vi.useFakeTimers();
  budget = createRequestBudget(120, () => performance.now());
  sent = [];
});
afterEach(() => {
  vi.useRealTimers();
});

function ask(caller: Caller, isWanted: () => boolean = () => true): void {
  void budget.turn(new Set([caller]), isWanted).then((granted) => {
    if (granted) sent.push({ caller, at: performance.now() });
  });
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
async function fourAskWithoutEnd(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    for (let n = 0; n < 10; n += 1) ask(`member:${n % 4}`);
    await pass(1_000);
  }
}

const mostInAMinute = (): number =>
  Math.max(...sent.map(({ at }) => sent.filter((one) => one.at <= at && one.at > at - 60_000).length));

it('never sends more than the service takes in any minute, however much is asked', async () => {
  for (let second = 0; second < 150; second += 1) {
    for (const caller of ['duties', 'member:anna', 'background'] as const)
      for (let n = 0; n < 3; n += 1) ask(caller);
    await pass(1_000);
  }
  expect(mostInAMinute()).toBeGreaterThan(100);
  expect(mostInAMinute()).toBeLessThanOrEqual(120);
});

it('lets posts and alerts go ahead at once while members ask without end', async () => {
  await fourAskWithoutEnd(60);
  const at = performance.now();
  for (let n = 0; n < 5; n += 1) ask('duties');
  await pass(0);
  expect(sent.filter((one) => one.caller === 'duties').map((one) => one.at)).toEqual(Array(5).fill(at));
});

it('lets a member who asks for the first time go before those who ask all the time', async () => {
  await fourAskWithoutEnd(30);
  const before = sent.length;
  for (const name of ['a', 'b', 'c']) ask(`member:${name}`);
  await pass(2_100);
  const next = sent.slice(before, before + 3).map(({ caller }) => caller);
  expect(next).toEqual(['member:a', 'member:b', 'member:c']);
});

it('answers a member who asks for the first time at once while others ask without end', async () => {
  await fourAskWithoutEnd(60);
  const at = performance.now();
  for (let n = 0; n < 5; n += 1) ask('member:new');
  await pass(0);
  expect(sent.filter((one) => one.caller === 'member:new').map((one) => one.at)).toEqual(Array(5).fill(at));
});

/** So many requests of one member go out at once, and so many of many members. */
const burstOfOne = 17;
const burstOfAll = 29;

it('takes what can wait last, and drops what nobody wants any more', async () => {
  for (let n = 0; n < burstOfAll; n += 1) ask(`member:${n}`);
  let isWanted = true;
  ask('background');
  ask('member:bert', () => isWanted);
  ask('member:carl');
  isWanted = false;
  await pass(15_000);
  expect(sent.slice(burstOfAll).map(({ caller }) => caller)).toEqual(['member:carl', 'background']);
});

it('moves a request up when posts or alerts want the same', async () => {
  const callers = new Set<Caller>(['member:anna']);
  for (let n = 0; n < burstOfOne; n += 1) ask('member:anna');
  void budget.turn(callers, () => true).then(() => sent.push({ caller: 'duties', at: performance.now() }));
  await pass(0);
  expect(sent).toHaveLength(burstOfOne);
  callers.add('duties');
  budget.wake();
  await pass(0);
  expect(sent).toHaveLength(burstOfOne + 1);
});

it('goes by what the service says that it takes', async () => {
  budget.setRequestsPerMinute(60_000);
  for (let n = 0; n < 1_000; n += 1) ask('member:anna');
  await pass(0);
  expect(sent).toHaveLength(1_000);
  budget.setRequestsPerMinute(10);
  sent = [];
  for (let n = 0; n < 100; n += 1) ask('duties');
  await pass(60_000);
  expect(sent.length).toBeLessThanOrEqual(10);
});
