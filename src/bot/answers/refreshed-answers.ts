import { isDeepStrictEqual } from 'node:util';
import type { Reply } from '../../commands/command.ts';

/** Discord accepts edits of an answer for 15 minutes. */
const editableMs = 14.5 * 60_000;
const everyMs = 4_000;
/** Answers that are kept up to date at once; further ones stay as they are. */
const mostAtOnce = 200;

export interface RefreshedAnswer {
  /** Of a member, only the latest answer is refreshed. */
  userId: string;
  first: Reply;
  edit: (reply: Reply) => Promise<unknown>;
}

/** Private answers that change by themselves, edited while that is possible. */
export class RefreshedAnswers {
  readonly #running = new Map<string, NodeJS.Timeout>();
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;
  readonly #everyMs: number;

  constructor(now: () => number, onError: (error: unknown) => void, refreshEveryMs = everyMs) {
    this.#now = now;
    this.#onError = onError;
    this.#everyMs = refreshEveryMs;
  }

  /** Takes the place of the member's earlier answer; one without `refresh` only ends that. */
  follow(answer: RefreshedAnswer): void {
    this.end(answer.userId);
    if (answer.first.refresh === undefined || this.#running.size >= mostAtOnce) return;
    this.#schedule(answer, answer.first, this.#now() + editableMs);
  }

  end(userId: string): void {
    clearTimeout(this.#running.get(userId));
    this.#running.delete(userId);
  }

  stop(): void {
    for (const userId of this.#running.keys()) this.end(userId);
  }

  #schedule(answer: RefreshedAnswer, shown: Reply, until: number): void {
    const timer = setTimeout(() => {
      this.#refresh(answer, shown, until, timer).catch((error: unknown) => {
        // Dismissed by the member, or no longer editable.
        if (this.#isCurrent(answer, timer)) this.end(answer.userId);
        this.#onError(error);
      });
    }, this.#everyMs);
    timer.unref();
    this.#running.set(answer.userId, timer);
  }

  #isCurrent({ userId }: RefreshedAnswer, timer: NodeJS.Timeout): boolean {
    return this.#running.get(userId) === timer;
  }

  async #refresh(answer: RefreshedAnswer, shown: Reply, until: number, timer: NodeJS.Timeout): Promise<void> {
    const next = (await shown.refresh?.(this.#now())) ?? null;
    if (!this.#isCurrent(answer, timer)) return;
    if (next === null) return this.end(answer.userId);
    const isSame = isDeepStrictEqual([next.embeds, next.components], [shown.embeds, shown.components]);
    if (!isSame) await answer.edit(next);
    if (!this.#isCurrent(answer, timer)) return;
    if (next.refresh === undefined || this.#now() > until) this.end(answer.userId);
    else this.#schedule(answer, next, until);
  }
}
