import { LRUCache } from 'lru-cache';

/** Pictures of about 80 KB. */
const mostKept = 60;

/** The module that draws, which needs native code. */
type Drawing = typeof import('./draw.ts');

/** Draws a picture as PNG; null: this platform cannot draw. @param content all that decides what it looks like */
export type DrawOnce = (content: unknown, draw: (code: Drawing) => Promise<Buffer>) => Promise<Buffer | null>;

/**
 * Draws each picture once, which takes about 10 ms.
 * @param load called for the first picture; rejects on platforms for which the native code has no build
 */
export function drawEachOnce(load: () => Promise<Drawing> = () => import('./draw.ts')): DrawOnce {
  const kept = new LRUCache<string, Promise<Buffer | null>>({ max: mostKept });

  return async (content, draw) => {
    const key = JSON.stringify(content);
    const drawn = kept.get(key) ?? load().then(draw, () => null);
    kept.set(key, drawn);
    drawn.catch(() => kept.delete(key));
    return await drawn;
  };
}
