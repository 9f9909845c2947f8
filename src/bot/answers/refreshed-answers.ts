import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Reply } from '../../commands/command.ts';
import { mostRefreshed, refreshEveryMs, refreshForMs } from '../limits.ts';

interface RefreshedAnswer {
  userId: string;
  /** Of a member, only the latest answer of a command is refreshed. */
  command: string;
  first: Reply;
  edit: (reply: Reply) => Promise<unknown>;
}

/** Private answers that change by themselves, edited while that is possible. */
export class RefreshedAnswers {
  readonly #running = new Map<string, AbortController>();
  readonly #now: () => number;
  readonly #onError: (error: unknown) => void;
  readonly #everyMs: number;

  constructor(now: () => number, onError: (error: unknown) => void, everyMs = refreshEveryMs) {
    this.#now = now;
    this.#onError = onError;
    this.#everyMs = everyMs;
  }

  /** Follows this answer instead of the member's earlier one of the command; one without `refresh` only ends that. */
  follow(answer: RefreshedAnswer): void {
    const key = `${answer.userId} ${answer.command}`;
    this.#running.get(key)?.abort();
    this.#running.delete(key);
    if (answer.first.refresh === undefined || this.#running.size >= mostRefreshed) return;
    const ending = new AbortController();
    this.#running.set(key, ending);
    void this.#keepCurrent(answer, ending.signal)
      .catch((error: unknown) => {
        // Dismissed by the member, or no longer editable.
        if (!ending.signal.aborted) this.#onError(error);
      })
      .finally(() => {
        if (this.#running.get(key) === ending) this.#running.delete(key);
      });
  }

  stop(): void {
    for (const ending of this.#running.values()) ending.abort();
  }

  async #keepCurrent({ first, edit }: RefreshedAnswer, signal: AbortSignal): Promise<void> {
    const until = this.#now() + refreshForMs;
    for (let shown = first; shown.refresh !== undefined && this.#now() <= until;) {
      await delay(this.#everyMs, undefined, { signal, ref: false });
      const next = await shown.refresh(this.#now());
      if (next === null || signal.aborted) return;
      const isSame = isDeepStrictEqual([next.embeds, next.components], [shown.embeds, shown.components]);
      if (!isSame) await edit(next);
      shown = next;
    }
  }
}
