import { within } from './time-limit.ts';

export interface QueueBounds {
  /** Answers worked on at the same time. */
  atOnce: number;
  /** Of them, at most so many of one member. */
  perMember: number;
  /** Answers that wait for their turn. */
  waiting: number;
  /** A turn ends after this time, though its work goes on. */
  longestMs: number;
}

/** Works on a bounded number of answers at once. Members take turns, however much each of them asks. */
export interface FairQueue {
  /** Does the work when it is the member's turn; null: too many wait already. */
  run<T>(userId: string, work: () => Promise<T>): Promise<T> | null;
}

export function createFairQueue(bounds: QueueBounds): FairQueue {
  const { atOnce, perMember, waiting: mostWaiting, longestMs } = bounds;
  const running = new Map<string, number>();
  /** By member; who had a turn goes to the end. */
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
    run(userId, work) {
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
