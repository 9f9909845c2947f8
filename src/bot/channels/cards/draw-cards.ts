import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Cards, Picture } from '../../../commands/ports.ts';
import { cardAlt } from '../../../embeds/card/content.ts';
import type { drawCard } from '../../../embeds/card/draw.ts';
import { loggable } from '../../loggable.ts';
import type { createLogos } from './logos.ts';

/** About 80 KB each. */
const mostKept = 50;

/**
 * Draws player cards one at a time, each in about 10 ms of this thread, and lets others go first in between. What is on a
 * card decides which picture it is.
 * @param logoOf loads a community's logo; left out: cards have none
 */
export function createCards(log: Logger, logoOf?: ReturnType<typeof createLogos>): Cards {
  const kept = new LRUCache<string, Promise<Picture | null>>({ max: mostKept });
  let drawing: Promise<typeof drawCard | null> | null = null;
  let last: Promise<unknown> = Promise.resolve();

  /** Loads native code with the first card. Platforms without a build get none. */
  function loadDrawing(): Promise<typeof drawCard | null> {
    drawing ??= import('../../../embeds/card/draw.ts').then(
      (module) => module.drawCard,
      (error: unknown) => {
        log.warn(
          { error: loggable(error) },
          'player cards are disabled: @napi-rs/canvas has no build for this platform',
        );
        return null;
      },
    );
    return drawing;
  }

  return {
    async draw(content, { accentColor, logoUrl }) {
      const logo = logoUrl === null ? null : ((await logoOf?.(logoUrl).catch(() => null)) ?? null);
      const key = JSON.stringify([content, accentColor, logo !== null && logoUrl]);
      const known = kept.get(key);
      if (known !== undefined) return await known;
      const picture = last.then(async () => {
        const draw = await loadDrawing();
        await new Promise(setImmediate);
        if (draw === null) return null;
        const data = await draw(content, { accent: accentColor, logo });
        return { name: 'player.png', data, alt: cardAlt(content) };
      });
      last = picture.catch(() => undefined);
      kept.set(key, picture);
      picture.catch(() => kept.delete(key));
      return await picture;
    },
  };
}
