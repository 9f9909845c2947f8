import type { Reply } from '../../commands/command.ts';
import { failureReply } from '../../commands/replies.ts';
import { relative } from '../../embeds/timestamps.ts';
import type { Language } from '../../locales/language.ts';
import type { Clock } from '../../process/clock.ts';
import type { AnswerRequest } from './answer.ts';
import { createFairQueue, type FairQueue, type QueueBounds } from './fair-queue.ts';
import { createMemberAllowance, type AllowanceRate, type MemberAllowance } from '../member-allowance.ts';

export interface MemberQueueOptions extends Clock {
  /** Commands, buttons and menus per member. Default: 20 at once and one more per second. */
  memberRate?: AllowanceRate | undefined;
  /** Limits of concurrent and waiting answers. */
  queueBounds?: Omit<QueueBounds, 'longestMs'> | undefined;
  /** See `QueueBounds`. */
  longestMs: number;
}

/** Enough for a whole guild at once. Beyond that, asking again is better than waiting. */
const defaultQueueBounds = { atOnce: 40, perMember: 2, waiting: 500 } as const;
/** When to try again while the queue is full. */
const busyMs = 5_000;

/** Answers members in turn. A member beyond the limits gets a refusal at once. */
export class MemberQueue {
  readonly #allowance: MemberAllowance;
  readonly #queue: FairQueue;
  readonly #now: Clock['now'];

  constructor({
    memberRate = { burst: 20, everyMs: 1_000 },
    queueBounds = defaultQueueBounds,
    longestMs,
    now,
    monotonic,
  }: MemberQueueOptions) {
    this.#allowance = createMemberAllowance(memberRate, monotonic);
    this.#queue = createFairQueue({ ...queueBounds, longestMs });
    this.#now = now;
  }

  /** See `MemberAllowance`. */
  take(userId: string): number {
    return this.#allowance.take(userId);
  }

  /** The request, with work that waits for the member's turn. */
  queued({ work, ...request }: AnswerRequest, userId: string): AnswerRequest {
    const { language } = request;
    return {
      ...request,
      work: async () => {
        const waitMs = this.take(userId);
        if (waitMs > 0) return this.#later(language, 'tooFast', waitMs);
        return await (this.#queue.run(userId, work) ?? this.#later(language, 'busy', busyMs));
      },
    };
  }

  #later(language: Language, text: 'tooFast' | 'busy', waitMs: number): Reply {
    const when = relative(this.#now() + waitMs + 999);
    return failureReply(language, 'waitTitle', language.t(`failure.${text}`, { when }));
  }
}
