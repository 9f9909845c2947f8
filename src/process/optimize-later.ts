import { setFlagsFromString } from 'node:v8';

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
 *
 * This applies to the whole process.
 */
export function optimizeLater(): void {
  for (const flag of laterFlags) setFlagsFromString(flag);
}
