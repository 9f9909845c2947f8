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

export type RefreshedAnswers = ReturnType<typeof createRefreshedAnswers>;

/** Private answers that change by themselves, edited while that is possible. */
export function createRefreshedAnswers(
  now: () => number,
  onError: (error: unknown) => void,
  everyMs = refreshEveryMs,
) {
  const running = new Map<string, AbortController>();

  async function keepCurrent({ first, edit }: RefreshedAnswer, signal: AbortSignal): Promise<void> {
    const until = now() + refreshForMs;
    for (let shown = first; shown.refresh !== undefined && now() <= until;) {
      await delay(everyMs, undefined, { signal, ref: false });
      const next = await shown.refresh(now());
      if (next === null || signal.aborted) return;
      const isSame = isDeepStrictEqual([next.embeds, next.components], [shown.embeds, shown.components]);
      if (!isSame) await edit(next);
      shown = next;
    }
  }

  return {
    /** Follows this answer instead of the member's earlier one of the command; one without `refresh` only ends that. */
    follow(answer: RefreshedAnswer): void {
      const key = `${answer.userId} ${answer.command}`;
      running.get(key)?.abort();
      running.delete(key);
      if (answer.first.refresh === undefined || running.size >= mostRefreshed) return;
      const ending = new AbortController();
      running.set(key, ending);
      void keepCurrent(answer, ending.signal)
        .catch((error: unknown) => {
          // Dismissed by the member, or no longer editable.
          if (!ending.signal.aborted) onError(error);
        })
        .finally(() => {
          if (running.get(key) === ending) running.delete(key);
        });
    },
    stop(): void {
      for (const ending of running.values()) ending.abort();
    },
  };
}
