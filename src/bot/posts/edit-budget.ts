export interface EditBudgetOptions {
  /** Between any two messages sent or edited, wherever. */
  gapMs: number;
  /** So many in one channel within `windowMs`. Discord takes about three in six seconds. */
  perChannel: number;
  windowMs: number;
}

/** Gives out turns to send or edit, so that many posts never run into Discord's limits together. */
export interface EditBudget {
  /** Resolves when it is this channel's turn; first come, first served within a channel. Rejects when `signal` aborts. */
  turn(channelId: string, signal: AbortSignal): Promise<void>;
}

interface Waiting {
  channelId: string;
  take: () => void;
}

export function createEditBudget({ gapMs, perChannel, windowMs }: EditBudgetOptions): EditBudget {
  const waiting = new Set<Waiting>();
  /** The latest turns of each channel, oldest first. */
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
        // What is waited for may be another channel's turn, long after this one's.
        clearTimeout(timer);
        give();
      });
    },
  };
}
