import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Picture } from '../../commands/interfaces/community.ts';
import { mostPictures } from '../limits.ts';
import { loggable } from '../loggable.ts';

/**
 * Returns a function that draws a picture, unless the one with this key was drawn before. Null: there is nothing to draw, or it
 * cannot be drawn, which is logged. It never rejects.
 * @param load native code of 37 MB, with the first picture
 * @param what for the log: `charts`
 */
export function drawnOnce<Drawing>(
  load: () => Promise<Drawing>,
  what: string,
  log: Logger,
): (key: string, draw: (drawing: Drawing) => Promise<Picture | null>) => Promise<Picture | null> {
  const kept = new LRUCache<string, Promise<Picture | null>>({ max: mostPictures });
  let drawing: Promise<Drawing | null> | null = null;
  return async (key, draw) => {
    drawing ??= load().catch((error: unknown) => {
      log.warn({ error: loggable(error) }, `${what} are disabled: @napi-rs/canvas could not be loaded`);
      return null;
    });
    let picture = kept.get(key);
    if (picture === undefined) {
      picture = drawing
        .then(async (loaded) => loaded && (await draw(loaded)))
        .catch((error: unknown) => {
          log.warn({ error: loggable(error) }, `${what}: one could not be drawn`);
          kept.delete(key);
          return null;
        });
      kept.set(key, picture);
    }
    return await picture;
  };
}
