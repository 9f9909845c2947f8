export interface EditBudgetOptions {
  /** Minimum gap between any two messages or edits. It may change. */
  gapMs: () => number;
  /** Limit of edits per channel within `windowMs`: fewer than Discord allows, since posts can wait. */
  perChannel: number;
  windowMs: number;
  /**
   * Limit of new messages per channel, and of edits that cannot wait. Discord allows five of each in five seconds, and others
   * post there, too.
   */
  messages?: { perChannel: number; windowMs: number } | undefined;
}

/** What goes first: members wait for messages; a rewording removes a name; other edits only keep a post current. */
const kinds = ['message', 'rewording', 'edit'] as const;
export type Turn = (typeof kinds)[number];

/** Schedules messages and edits so that many posts together stay below Discord's limits. */
export interface EditBudget {
  /**
   * Resolves when it is this channel's turn, first come, first served for each kind in a channel. Rejects when `signal`
   * aborts.
   */
  turn(channelId: string, signal: AbortSignal, kind?: Turn): Promise<void>;
}

interface Waiting {
  channelId: string;
  kind: Turn;
  take: () => void;
}

export function createEditBudget({ gapMs, messages, ...edits }: EditBudgetOptions): EditBudget {
  const urgent = messages ?? edits;
  const limits = { message: urgent, rewording: urgent, edit: edits };
  const most = Math.max(urgent.perChannel, edits.perChannel);
  const waiting = new Set<Waiting>();
  /** Recent messages in each channel, and recent edits of both kinds, oldest first. */
  const turns = new Map<string, number[]>();
  let nextAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  const keyOf = ({ kind, channelId }: Waiting): string =>
    `${kind === 'message' ? 'messages' : 'edits'} ${channelId}`;

  function freeAt(entry: Waiting, now: number): number {
    const { perChannel, windowMs } = limits[entry.kind];
    const earlier = turns.get(keyOf(entry))?.at(-perChannel) ?? -Infinity;
    return Math.max(nextAt, earlier + windowMs, now);
  }

  function isSooner(one: Waiting, other: Waiting, now: number): boolean {
    const difference = freeAt(one, now) - freeAt(other, now);
    return difference < 0 || (difference === 0 && kinds.indexOf(one.kind) < kinds.indexOf(other.kind));
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
      turns.set(key, [...(turns.get(key) ?? []), now].slice(-most));
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
