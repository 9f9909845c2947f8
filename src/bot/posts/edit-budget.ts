export interface EditBudgetOptions {
  /** Minimum gap between any two messages or edits. It may change. */
  gapMs: () => number;
  /** Limit of edits per channel within `windowMs`. Discord allows about three in six seconds. */
  perChannel: number;
  windowMs: number;
  /** Limit of new messages per channel. Discord allows five in five seconds, and others post there, too. */
  messages?: { perChannel: number; windowMs: number } | undefined;
}

/** Members wait for messages; edits only keep a post current. */
export type Turn = 'message' | 'edit';

/** Schedules messages and edits so that many posts together stay below Discord's limits. */
export interface EditBudget {
  /**
   * Resolves when it is this channel's turn, first come, first served within a channel. Messages go before edits. Rejects
   * when `signal` aborts.
   */
  turn(channelId: string, signal: AbortSignal, kind?: Turn): Promise<void>;
}

interface Waiting {
  channelId: string;
  kind: Turn;
  take: () => void;
}

export function createEditBudget({ gapMs, messages, ...edits }: EditBudgetOptions): EditBudget {
  const limits = { edit: edits, message: messages ?? edits };
  const waiting = new Set<Waiting>();
  /** Recent turns of each kind in each channel, oldest first. */
  const turns = new Map<string, number[]>();
  let nextAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  const keyOf = ({ kind, channelId }: Waiting): string => `${kind} ${channelId}`;

  function freeAt(entry: Waiting, now: number): number {
    const { perChannel, windowMs } = limits[entry.kind];
    const latest = turns.get(keyOf(entry)) ?? [];
    const channelFree = latest.length < perChannel ? -Infinity : latest[0]! + windowMs;
    return Math.max(nextAt, channelFree, now);
  }

  function isSooner(one: Waiting, other: Waiting, now: number): boolean {
    const difference = freeAt(one, now) - freeAt(other, now);
    return difference < 0 || (difference === 0 && one.kind === 'message' && other.kind === 'edit');
  }

  function give(): void {
    timer = undefined;
    while (waiting.size > 0) {
      const [first, ...others] = waiting;
      const now = performance.now();
      const next = others.reduce((best, each) => (isSooner(each, best, now) ? each : best), first!);
      const wait = freeAt(next, now) - now;
      if (wait > 0) {
        timer = setTimeout(give, wait);
        return;
      }
      waiting.delete(next);
      nextAt = now + gapMs();
      const key = keyOf(next);
      turns.set(key, [...(turns.get(key) ?? []), now].slice(-limits[next.kind].perChannel));
      next.take();
    }
  }

  return {
    turn(channelId, signal, kind = 'edit') {
      return new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const entry: Waiting = {
          channelId,
          kind,
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
