import { createRequire } from 'node:module';

/**
 * Loads GameDig on demand: it takes a quarter of a second, which commands without queries save. All callers use the
 * same of its two builds.
 */
export function loadGameDig(): typeof import('gamedig') {
  return createRequire(import.meta.url)('gamedig') as typeof import('gamedig');
}
