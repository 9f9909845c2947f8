import { setMaxListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EditBudget } from '../../../src/bot/channels/edit-budget.ts';
import { gapBetween } from '../../../src/bot/channels/posts/posts.ts';

const gapMs = 300;
const figures = { gapMs: () => gapMs, perChannel: 3, windowMs: 7_000 };
const never = new AbortController().signal;
setMaxListeners(0, never);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Asks for a turn in each of these channels at once, and tells when each got it. */
async function turnsOf(channels: readonly string[]): Promise<{ channel: string; at: number }[]> {
  const budget = new EditBudget(figures);
  const turns: { channel: string; at: number }[] = [];
  const all = channels.map((channel) =>
    budget.turn(channel, never).then(() => void turns.push({ channel, at: performance.now() })),
  );
  await vi.runAllTimersAsync();
  await Promise.all(all);
  return turns;
}

describe('the budget of edits', () => {
  it('keeps fifty posts in eight channels under the limit of each channel, however they come', async () => {
    const channels = Array.from({ length: 50 }, (_, index) => `channel-${index % 8}`);
    const turns = await turnsOf([...channels, ...channels]);
    expect(turns).toHaveLength(100);
    for (const channel of new Set(channels)) {
      const times = turns.filter((turn) => turn.channel === channel).map(({ at }) => at);
      const tooClose = times.filter((at, index) => index >= 3 && at - times[index - 3]! < figures.windowMs);
      expect(tooClose).toEqual([]);
    }
    const gaps = turns.slice(1).map(({ at }, index) => at - turns[index]!.at);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(gapMs);
  });

  it('lets a busy channel hold up no other', async () => {
    const turns = await turnsOf([...Array.from({ length: 12 }, () => 'busy'), 'quiet']);
    expect(turns.findIndex(({ channel }) => channel === 'quiet')).toBe(3);
  });

  it('lets a channel that asks later pass a busy one', async () => {
    const budget = new EditBudget(figures);
    const served: string[] = [];
    const ask = (channel: string) => budget.turn(channel, never).then(() => void served.push(channel));
    const busy = [1, 2, 3, 4].map(() => ask('busy'));
    await vi.advanceTimersByTimeAsync(figures.windowMs / 2);
    const quiet = ask('quiet');
    await vi.runAllTimersAsync();
    await Promise.all([...busy, quiet]);
    expect(served).toEqual(['busy', 'busy', 'busy', 'quiet', 'busy']);
  });

  it('serves a channel in the order in which it was asked', async () => {
    const budget = new EditBudget(figures);
    const served: number[] = [];
    const all = [0, 1, 2, 3, 4].map((index) => budget.turn('one', never).then(() => void served.push(index)));
    await vi.runAllTimersAsync();
    await Promise.all(all);
    expect(served).toEqual([0, 1, 2, 3, 4]);
  });

  it('lets messages go before edits that have waited longer, and counts each kind by itself', async () => {
    const messages = { perChannel: 2, windowMs: 1_000 };
    const budget = new EditBudget({ ...figures, messages });
    const served: string[] = [];
    const ask = (kind: 'edit' | 'message', channel: string) =>
      budget.turn(channel, never, kind).then(() => void served.push(`${kind} ${channel}`));
    const all = [
      ...['a', 'b', 'c', 'd'].map((channel) => ask('edit', channel)),
      ...['a', 'a', 'a'].map((channel) => ask('message', channel)),
    ];
    await vi.runAllTimersAsync();
    await Promise.all(all);
    // The first edit went at once. The third message waits for the limit of its channel.
    expect(served.slice(0, 3)).toEqual(['edit a', 'message a', 'message a']);
    expect(served.indexOf('message a', 3)).toBe(5);
  });

  it('lets edits that remove a name go before all other edits of their channel, and more often', async () => {
    const messages = { perChannel: 4, windowMs: 5_500 };
    const budget = new EditBudget({ ...figures, messages });
    const served: string[] = [];
    const ask = (kind: 'edit' | 'rewording') =>
      budget.turn('a', never, kind).then(() => void served.push(kind));
    const edits = Array.from({ length: 6 }, () => ask('edit'));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(served).toHaveLength(3);
    const since = performance.now();
    await Promise.all([
      vi.advanceTimersByTimeAsync(20_000),
      ...Array.from({ length: 12 }, () => ask('rewording')),
    ]);
    expect(served.slice(3, 15)).toEqual(Array.from({ length: 12 }, () => 'rewording'));
    await vi.runAllTimersAsync();
    await Promise.all(edits);
    expect(performance.now() - since).toBeLessThan(45_000);
  });

  it('lets go who no longer waits', async () => {
    const budget = new EditBudget({ ...figures, perChannel: 1 });
    const stopping = new AbortController();
    await budget.turn('one', never);
    const waiting = budget.turn('one', stopping.signal);
    const other = budget.turn('one', never).then(() => 'served');
    stopping.abort();
    await expect(waiting).rejects.toThrow();
    await vi.advanceTimersByTimeAsync(figures.windowMs);
    expect(await Promise.race([other, Promise.resolve('still waiting')])).toBe('served');
  });
});

it.each([
  [0, 300],
  [200, 300],
  [400, 150],
  [1_000, 60],
  [10_000, 30],
])('spreads %i posts over a minute, %i ms apart', (posts, apartMs) => {
  expect(gapBetween(posts, gapMs)).toBe(apartMs);
});
