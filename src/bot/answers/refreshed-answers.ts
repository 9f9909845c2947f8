import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Reply } from '../../commands/command.ts';

/** Discord accepts edits of an answer for 15 minutes. */
const editableMs = 14.5 * 60_000;
const everyMs = 4_000;
/** Answers that are kept up to date at once; further ones stay as they are. */
const mostAtOnce = 200;

interface RefreshedAnswer {
  /** Of a member, only the latest answer is refreshed. */
  userId: string;
  first: Reply;
  edit: (reply: Reply) => Promise<unknown>;
}

/** Private answers that change by themselves, edited while that is possible. */
export class RefreshedAnswers {
  readonly #running = new Map<string, AbortController>();
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;

  constructor(now: () => number, onError: (error: unknown) => void) {
    this.#now = now;
    this.#onError = onError;
  }

  /** Takes the place of the member's earlier answer; one without `refresh` only ends that. */
  follow(answer: RefreshedAnswer): void {
    const { userId, first } = answer;
    this.#running.get(userId)?.abort();
    this.#running.delete(userId);
    if (first.refresh === undefined || this.#running.size >= mostAtOnce) return;
    const ending = new AbortController();
    this.#running.set(userId, ending);
    void this.#keepCurrent(answer, ending.signal)
      .catch((error: unknown) => {
        // Dismissed by the member, or no longer editable.
        if (!ending.signal.aborted) this.#onError(error);
      })
      .finally(() => {
        if (this.#running.get(userId) === ending) this.#running.delete(userId);
      });
  }

  stop(): void {
    for (const ending of this.#running.values()) ending.abort();
  }

  async #keepCurrent({ first, edit }: RefreshedAnswer, signal: AbortSignal): Promise<void> {
    const until = this.#now() + editableMs;
    for (let shown = first; shown.refresh !== undefined && this.#now() <= until;) {
      await delay(everyMs, undefined, { signal, ref: false });
      const next = await shown.refresh(this.#now());
      if (next === null || signal.aborted) return;
      const isSame = isDeepStrictEqual([next.embeds, next.components], [shown.embeds, shown.components]);
      if (!isSame) await edit(next);
      shown = next;
    }
  }
}
