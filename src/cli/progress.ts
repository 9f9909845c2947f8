import type { Output } from './output.ts';

/**
 * Shows on a terminal how far long work is, in one line that is removed at its end; elsewhere nothing.
 * @param everyMs of work that reports so often that the next report is never far
 */
export function showProgress<Progress>(
  { progress: draw, terminal }: Output,
  text: (progress: Progress) => string,
  everyMs = 0,
): { update(progress: Progress): void; end(): void } {
  if (draw === undefined) return { update: () => undefined, end: () => undefined };
  let drawnAt = -Infinity;
  return {
    update(progress) {
      if (performance.now() - drawnAt < everyMs) return;
      drawnAt = performance.now();
      draw(text(progress).slice(0, (terminal?.columns ?? 80) - 1));
    },
    end: () => draw(''),
  };
}

/** `34 %` */
export const percentOf = (done: number, total: number): string =>
  `${total === 0 ? 100 : Math.min(100, Math.floor((done / total) * 100))} %`;
