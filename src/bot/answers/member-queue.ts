import type { Reply } from '../../commands/command.ts';
import { failureReply } from '../../commands/replies.ts';
import { relative } from '../../embeds/timestamps.ts';
import type { Language } from '../../locales/language.ts';
import type { Clock } from '../../process/clock.ts';
import { limitConcurrency, type ConcurrencyLimit } from '../../process/concurrency-limit.ts';
import { within } from '../../process/time-limit.ts';
import type { AnswerRequest } from './answer.ts';
import { createMemberAllowance, type AllowanceRate, type MemberAllowance } from '../member-allowance.ts';

interface QueueBounds {
  /** How many answers run at once. */
  atOnce: number;
  /** How many more may wait. */
  waiting: number;
}

export interface MemberQueueOptions extends Clock {
  /** Commands, buttons and menus per member. Default: 20 at once and one more per second. */
  memberRate?: AllowanceRate | undefined;
  queueBounds?: QueueBounds | undefined;
  /** An answer frees its place after this time, even if it still runs. */
  longestMs: number;
}

/** Enough for a whole guild at once, and for more than one member may ask at once. Beyond that, asking again is better than waiting. */
const defaultQueueBounds: QueueBounds = { atOnce: 40, waiting: 500 };
/** When to try again while the queue is full. */
const busyMs = 5_000;

/** Runs a bounded number of answers at once, first come, first served. A member beyond the limits gets a refusal at once. */
export class MemberQueue {
  readonly #allowance: MemberAllowance;
  readonly #places: ConcurrencyLimit;
  /** How many answers may run or wait. */
  readonly #most: number;
  readonly #longestMs: number;
  readonly #now: Clock['now'];
  #count = 0;

  constructor({
    memberRate = { burst: 20, everyMs: 1_000 },
    queueBounds: { atOnce, waiting } = defaultQueueBounds,
    longestMs,
    now,
    monotonic,
  }: MemberQueueOptions) {
    this.#allowance = createMemberAllowance(memberRate, monotonic);
    this.#places = limitConcurrency(atOnce);
    this.#most = atOnce + waiting;
    this.#longestMs = longestMs;
    this.#now = now;
  }

  /** The request, with work that waits for its turn. */
  queued({ work, ...request }: AnswerRequest, userId: string): AnswerRequest {
    const { language } = request;
    return {
      ...request,
      work: async () => {
        const waitMs = this.#allowance.take(userId);
        if (waitMs > 0) return this.#later(language, 'tooFast', waitMs);
        return this.#count < this.#most ? await this.#run(work) : this.#later(language, 'busy', busyMs);
      },
    };
  }

  async #run(work: () => Promise<Reply>): Promise<Reply> {
    this.#count += 1;
    const free = await this.#places.acquire();
    const working = work();
    void within(Promise.allSettled([working]), this.#longestMs).then(() => {
      this.#count -= 1;
      free();
    });
    return await working;
  }

  #later(language: Language, text: 'tooFast' | 'busy', waitMs: number): Reply {
    const when = relative(this.#now() + waitMs + 999);
    return failureReply(language, 'waitTitle', language.t(`failure.${text}`, { when }));
  }
}
