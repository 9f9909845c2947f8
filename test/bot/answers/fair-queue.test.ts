import { expect, it } from 'vitest';
import { createFairQueue } from '../../../src/bot/answers/fair-queue.ts';
import { held } from '../discord-world.ts';

const bounds = { atOnce: 2, perMember: 1, waiting: 10, longestMs: 60_000 };

function createWork(turns = createFairQueue(bounds)) {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (userId: string, name: string): Promise<string> | null =>
    turns.run(userId, async () => {
      started.push(name);
      const end = held<void>();
      ends.set(name, () => end.resolve());
      await end.promise;
      return name;
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    started,
    ask,
    async end(name: string) {
      ends.get(name)?.();
      await settle();
    },
  };
}

it('lets members take turns, however much one of them asks', async () => {
  const { started, ask, end } = createWork();
  for (const name of ['a1', 'a2', 'a3', 'a4']) void ask('anna', name);
  void ask('bert', 'b1');
  void ask('carl', 'c1');
  void ask('dora', 'd1');
  expect(started).toEqual(['a1', 'b1']);
  await end('a1');
  await end('b1');
  await end('a2');
  await end('c1');
  expect(started).toEqual(['a1', 'b1', 'a2', 'c1', 'd1', 'a3']);
});

it('takes no more once too many wait, and takes again when there is room', async () => {
  const { ask, end } = createWork(createFairQueue({ ...bounds, waiting: 1 }));
  const first = ask('anna', 'a1');
  const second = ask('anna', 'a2');
  expect(ask('anna', 'a3')).toBeNull();
  await end('a1');
  expect(await first).toBe('a1');
  expect(ask('anna', 'a4')).not.toBeNull();
  await end('a2');
  expect(await second).toBe('a2');
});

it('gives the turn of work that never ends to others after a while', async () => {
  const turns = createFairQueue({ ...bounds, atOnce: 1, longestMs: 5 });
  void turns.run('anna', () => new Promise<void>(() => {}));
  expect(await turns.run('bert', async () => 'answered')).toBe('answered');
});

it('gives a turn back when the work fails', async () => {
  const turns = createFairQueue({ ...bounds, atOnce: 1 });
  await expect(turns.run('anna', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await turns.run('anna', async () => 'answered')).toBe('answered');
});
