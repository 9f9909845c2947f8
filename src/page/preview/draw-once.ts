import { LRUCache } from 'lru-cache';

/** About 80 KB each. */
const mostKept = 60;

/** What draws, with its native code. */
type Code = typeof import('./draw.ts');

/** Draws a picture as PNG; null: this platform cannot draw. @param content all that decides what it looks like */
export type DrawOnce = (content: unknown, draw: (code: Code) => Promise<Buffer>) => Promise<Buffer | null>;

/**
 * Draws each picture once, which takes about 10 ms.
 * @param load the native code, which comes with the first picture. Not every platform has a build
 */
export function drawEachOnce(load: () => Promise<Code> = () => import('./draw.ts')): DrawOnce {
  const kept = new LRUCache<string, Promise<Buffer | null>>({ max: mostKept });

  return async (content, draw) => {
    const key = JSON.stringify(content);
    const drawn = kept.get(key) ?? load().then(draw, () => null);
    kept.set(key, drawn);
    drawn.catch(() => kept.delete(key));
    return await drawn;
  };
}
