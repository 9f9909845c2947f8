import { setFlagsFromString } from 'node:v8';

/* Flags of V8, which apply to the whole process. */

/**
 * Lowers V8's limit of heap growth: it collects garbage once the heap has grown by so many percent, instead of
 * letting it grow to four times what is alive.
 *
 * A bot and an import both create garbage that lives just long enough to need a full collection: every request to
 * Discord leaves some ten kilobytes (Node's abort signals and what they refer to), every file of a backlog its counts.
 * After 6,000 answers two thirds of the heap were garbage. One collection per thousand answers, mostly concurrent,
 * keeps it small. A V8 that does not know the flag ignores it.
 */
export function keepHeapSmall(percent = 50): void {
  setFlagsFromString(`--heap-growing-percent=${percent}`);
}

/**
 * Whether V8 may enlarge the space for new objects. While a program loads, it takes 32 MB for it, although most of what is
 * loaded stays; a service at rest has no use for them. Under load, V8 enlarges it again as it always does.
 */
export function allowNewSpaceToGrow(isAllowed: boolean): void {
  const defaultFactor = 2;
  setFlagsFromString(`--semi-space-growth-factor=${isAllowed ? defaultFactor : 1}`);
}

/**
 * How much bytecode a function runs before V8 optimizes it: eight times what Node.js 20 has by default. Later versions have no
 * such flag and name it as unknown on stderr; they compile with Maglev first, which costs little.
 */
export const laterFlags: readonly string[] = process.versions.v8.startsWith('11.')
  ? ['--interrupt-budget=540000']
  : [];

/**
 * Lets V8 optimize what is hot, and not all that is warm. Of the CPU time of an import, its compiler took a fifth, most of it for
 * functions that ran no faster for long enough.
 */
export function optimizeLater(): void {
  for (const flag of laterFlags) setFlagsFromString(flag);
}
