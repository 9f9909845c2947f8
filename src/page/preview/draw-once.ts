import { LRUCache } from 'lru-cache';
import type { drawPicture } from './draw.ts';
import type { Picture } from './picture.ts';

/** About 80 KB each. */
const mostKept = 60;

/** Draws a picture as PNG; null: this platform cannot draw. */
export type DrawOnce = (picture: Picture) => Promise<Buffer | null>;

/**
 * Draws each picture once, which takes about 10 ms. What is on a picture decides which one it is.
 * @param load the native code, which comes with the first picture. Not every platform has a build
 */
export function drawEachOnce(
  load: () => Promise<{ drawPicture: typeof drawPicture }> = () => import('./draw.ts'),
): DrawOnce {
  const kept = new LRUCache<string, Promise<Buffer | null>>({ max: mostKept });

  async function draw(picture: Picture): Promise<Buffer | null> {
    const code = await load().catch(() => null);
    return code === null ? null : await code.drawPicture(picture);
  }

  return async (picture) => {
    const key = JSON.stringify(picture);
    let drawn = kept.get(key);
    if (drawn === undefined) {
      drawn = draw(picture);
      kept.set(key, drawn);
      drawn.catch(() => kept.delete(key));
    }
    return await drawn;
  };
}
