import { within } from '../../process/time-limit.ts';

export interface QueueBounds {
  /** How many tasks run at once, of all and of each member. */
  atOnce: number;
  perMember: number;
  /** How many more may wait. */
  waiting: number;
  /** A task frees its place after this time, even if it still runs. */
  longestMs: number;
}

export type FairQueue = ReturnType<typeof createFairQueue>;

/** Runs a bounded number of tasks at once. Members take turns, regardless of how many tasks each has. */
export function createFairQueue(bounds: QueueBounds) {
  const { atOnce, perMember, waiting: mostWaiting, longestMs } = bounds;
  const running = new Map<string, number>();
  /** Waiting tasks by member. A member who had a turn moves to the end. */
  const queues = new Map<string, (() => void)[]>();
  let runningCount = 0;
  let waitingCount = 0;

  const isFree = (userId: string): boolean => runningCount < atOnce && (running.get(userId) ?? 0) < perMember;

  function begin(userId: string): void {
    runningCount += 1;
    running.set(userId, (running.get(userId) ?? 0) + 1);
  }

  function end(userId: string): void {
    runningCount -= 1;
    const rest = (running.get(userId) ?? 1) - 1;
    if (rest === 0) running.delete(userId);
    else running.set(userId, rest);
    next();
  }

  function next(): void {
    for (const [userId, [start, ...others]] of queues) {
      if (start === undefined || !isFree(userId)) continue;
      queues.delete(userId);
      if (others.length > 0) queues.set(userId, others);
      waitingCount -= 1;
      begin(userId);
      start();
      if (runningCount >= atOnce) return;
    }
  }

  async function perform<T>(userId: string, work: () => Promise<T>, start: Promise<void> | null): Promise<T> {
    if (start !== null) await start;
    const working = work();
    void within(Promise.allSettled([working]), longestMs).then(() => end(userId));
    return await working;
  }

  return {
    /** Runs the task when it is the member's turn; null: the queue is full. */
    run<T>(userId: string, work: () => Promise<T>): Promise<T> | null {
      if (isFree(userId) && !queues.has(userId)) {
        begin(userId);
        return perform(userId, work, null);
      }
      if (waitingCount >= mostWaiting) return null;
      waitingCount += 1;
      const start = new Promise<void>((resolve) => {
        queues.set(userId, [...(queues.get(userId) ?? []), resolve]);
      });
      return perform(userId, work, start);
    },
  };
}
