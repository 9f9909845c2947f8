export interface EditBudgetOptions {
  /** Minimum gap between any two messages or edits. */
  gapMs: number;
  /** Limit per channel within `windowMs`. Discord allows about three in six seconds. */
  perChannel: number;
  windowMs: number;
}

/** Schedules messages and edits so that many posts together stay below Discord's limits. */
export interface EditBudget {
  /** Resolves when it is this channel's turn, first come, first served within a channel. Rejects when `signal` aborts. */
  turn(channelId: string, signal: AbortSignal): Promise<void>;
}

interface Waiting {
  channelId: string;
  take: () => void;
}

export function createEditBudget({ gapMs, perChannel, windowMs }: EditBudgetOptions): EditBudget {
  const waiting = new Set<Waiting>();
  /** Recent turns of each channel, oldest first. */
  const turns = new Map<string, number[]>();
  let nextAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  function freeAt(channelId: string): number {
    const latest = turns.get(channelId) ?? [];
    const channelFree = latest.length < perChannel ? -Infinity : latest[0]! + windowMs;
    return Math.max(nextAt, channelFree);
  }

  function give(): void {
    timer = undefined;
    while (waiting.size > 0) {
      const [first, ...others] = waiting;
      const next = others.reduce(
        (best, each) => (freeAt(each.channelId) < freeAt(best.channelId) ? each : best),
        first!,
      );
      const now = performance.now();
      const wait = freeAt(next.channelId) - now;
      if (wait > 0) {
        timer = setTimeout(give, wait);
        return;
      }
      waiting.delete(next);
      nextAt = now + gapMs;
      turns.set(next.channelId, [...(turns.get(next.channelId) ?? []), now].slice(-perChannel));
      next.take();
    }
  }

  return {
    turn(channelId, signal) {
      return new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const entry: Waiting = {
          channelId,
          take() {
            signal.removeEventListener('abort', leave);
            resolve();
          },
        };
        const leave = () => {
          waiting.delete(entry);
          reject(signal.reason as Error);
        };
        signal.addEventListener('abort', leave, { once: true });
        waiting.add(entry);
        // The timer may wait for another channel whose turn is later than this one's.
        clearTimeout(timer);
        give();
      });
    },
  };
}
