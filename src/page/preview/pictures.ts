import { setTimeout as wait } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { drawPicture } from './draw.ts';
import type { Picture } from './picture.ts';

/** About 80 KB each. */
const mostKept = 60;
/** Whoever comes when so many wait is sent away. */
const mostWaiting = 40;
/** Between two pictures, each of which takes about 10 ms of this thread: strangers may have a tenth of it. */
const pauseMs = 100;

type Drawn = { data: Buffer } | 'busy' | 'unavailable';

export interface Pictures {
  /** `busy`: too many are asked for. `unavailable`: this platform cannot draw. */
  draw(picture: Picture): Promise<Drawn>;
}

/** Draws pictures of links one after the other. What is on a picture decides which one it is. */
export function createPictures(
  load: () => Promise<{ drawPicture: typeof drawPicture }> = () => import('./draw.ts'),
): Pictures {
  const kept = new LRUCache<string, Promise<Drawn>>({ max: mostKept });
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function draw(picture: Picture): Promise<Drawn> {
    // The native code is loaded with the first picture. Not every platform has a build.
    const code = await load().catch(() => null);
    return code === null ? 'unavailable' : { data: await code.drawPicture(picture) };
  }

  return {
    async draw(picture) {
      const key = JSON.stringify(picture);
      const found = kept.get(key);
      if (found !== undefined) return await found;
      if (waiting >= mostWaiting) return 'busy';
      waiting += 1;
      const drawn = last.then(() => draw(picture)).finally(() => (waiting -= 1));
      last = drawn.catch(() => undefined).then(() => wait(pauseMs, undefined, { ref: false }));
      kept.set(key, drawn);
      drawn.catch(() => kept.delete(key));
      return await drawn;
    },
  };
}
