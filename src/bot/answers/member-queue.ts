import { LRUCache } from 'lru-cache';
import type { Reply } from '../../commands/command.ts';
import { failureReply } from '../../commands/replies.ts';
import { relative } from '../../embeds/timestamps.ts';
import type { Language } from '../../locales/language.ts';
import type { Clock } from '../../process/clock.ts';
import { limitConcurrency } from '../../process/concurrency-limit.ts';
import { within } from '../../process/time-limit.ts';
import { type BotTiming, busyMs, type MemberRate, mostMembers } from '../limits.ts';
import type { AnswerRequest } from './answer.ts';

type QueueOptions = Pick<Clock, 'now' | 'monotonic'> &
  Pick<BotTiming, 'memberRate' | 'answersAtOnce' | 'answersWaiting' | 'answerWithinMs'>;

/**
 * Returns a function that lets a request wait for its turn. A bounded number of answers runs at once, first come, first served. A
 * member beyond the limits gets a refusal at once.
 */
export function createMemberQueue(
  options: QueueOptions,
): (request: AnswerRequest, userId: string) => AnswerRequest {
  const { now, memberRate, monotonic, answersAtOnce, answersWaiting, answerWithinMs } = options;
  const take = limitMembers(memberRate, monotonic);
  const turns = limitConcurrency(answersAtOnce);
  /** Of the answers that run or wait. */
  let count = 0;

  function tryAgain(language: Language, text: 'tooFast' | 'busy', waitMs: number): Reply {
    const when = relative(now() + waitMs + 999);
    return failureReply(language, 'waitTitle', language.t(`failure.${text}`, { when }));
  }

  async function inTurn(work: () => Promise<Reply>): Promise<Reply> {
    count += 1;
    const endTurn = await turns.acquire();
    const working = work();
    // An answer that never ends gives its turn to others.
    void within(Promise.allSettled([working]), answerWithinMs).then(() => {
      count -= 1;
      endTurn();
    });
    return await working;
  }

  return ({ work, ...request }, userId) => {
    return {
      ...request,
      work: async () => {
        const waitMs = take(userId);
        if (waitMs > 0) return tryAgain(request.language, 'tooFast', waitMs);
        if (count >= answersAtOnce + answersWaiting) return tryAgain(request.language, 'busy', busyMs);
        return await inTurn(work);
      },
    };
  };
}

/**
 * Limits the rate of each member, so that no member can block the others. GCRA: one number per member, the moment at which
 * the burst is full again. The result takes one request. 0: allowed. Otherwise it is refused and not counted, and the next one is
 * allowed in that many milliseconds.
 */
export function limitMembers(
  { burst, everyMs }: MemberRate,
  monotonic: Clock['monotonic'],
): (userId: string) => number {
  const fullAt = new LRUCache<string, number>({ max: mostMembers });
  return (userId) => {
    const now = monotonic();
    const from = Math.max(fullAt.get(userId) ?? now, now);
    const wait = from - now - (burst - 1) * everyMs;
    if (wait > 0) return wait;
    fullAt.set(userId, from + everyMs);
    return 0;
  };
}
