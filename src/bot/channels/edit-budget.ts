interface EditBudgetOptions {
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

interface Waiting {
  channelId: string;
  kind: Turn;
  take: () => void;
}

const keyOf = ({ kind, channelId }: Waiting): string =>
  `${kind === 'message' ? 'messages' : 'edits'} ${channelId}`;

/** Schedules messages and edits so that many posts together stay below Discord's limits. */
export class EditBudget {
  readonly #gapMs: () => number;
  readonly #limits: Record<Turn, { perChannel: number; windowMs: number }>;
  readonly #waiting = new Set<Waiting>();
  /** Recent messages in each channel, and recent edits of both kinds, oldest first. */
  readonly #turns = new Map<string, number[]>();
  #nextAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor({ gapMs, messages, ...edits }: EditBudgetOptions) {
    const urgent = messages ?? edits;
    this.#gapMs = gapMs;
    this.#limits = { message: urgent, rewording: urgent, edit: edits };
  }

  /**
   * Resolves when it is this channel's turn, first come, first served for each kind in a channel. Rejects when `signal`
   * aborts.
   */
  async turn(channelId: string, signal: AbortSignal, kind: Turn = 'edit'): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const entry: Waiting = {
        channelId,
        kind,
        take() {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      const leave = () => {
        this.#waiting.delete(entry);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.add(entry);
      // The timer may wait for another channel whose turn is later than this one's.
      clearTimeout(this.#timer);
      this.#give();
    });
  }

  #give(): void {
    this.#timer = undefined;
    while (this.#waiting.size > 0) {
      const [first, ...others] = this.#waiting;
      const now = performance.now();
      const next = others.reduce((best, each) => (this.#isSooner(each, best, now) ? each : best), first!);
      const wait = this.#freeAt(next, now) - now;
      if (wait > 0) {
        this.#timer = setTimeout(() => this.#give(), wait);
        return;
      }
      this.#waiting.delete(next);
      this.#nextAt = now + this.#gapMs();
      const { edit, message } = this.#limits;
      const most = Math.max(edit.perChannel, message.perChannel);
      const key = keyOf(next);
      this.#turns.set(key, [...(this.#turns.get(key) ?? []), now].slice(-most));
      next.take();
    }
  }

  #isSooner(one: Waiting, other: Waiting, now: number): boolean {
    const difference = this.#freeAt(one, now) - this.#freeAt(other, now);
    return difference < 0 || (difference === 0 && kinds.indexOf(one.kind) < kinds.indexOf(other.kind));
  }

  #freeAt(entry: Waiting, now: number): number {
    const { perChannel, windowMs } = this.#limits[entry.kind];
    const earlier = this.#turns.get(keyOf(entry))?.at(-perChannel) ?? -Infinity;
    return Math.max(this.#nextAt, earlier + windowMs, now);
  }
}
