import { setTimeout as sleep } from 'node:timers/promises';

/** Rows per statement, during which other writers wait. */
export const stepRows = 1_000;
const maxSteps = 50;

/**
 * Repeats a statement until it changes fewer than `stepRows` rows, but not for long: the next call continues.
 * @param step changes that many rows at most @returns how many it has changed
 */
export async function inSteps(step: () => Promise<number>): Promise<void> {
  for (let steps = 0; steps < maxSteps; steps += 1) {
    if ((await step()) < stepRows) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Longer than a writer of another connection to SQLite waits until it tries again (`writer-dialect.ts`). */
const pauseMs = 15;

/** Between two transactions of a backlog: lets other writers go first. */
export async function letOthersWrite(): Promise<void> {
  await sleep(pauseMs);
}
