import type { Logger } from 'pino';
import type { Pictures } from '../../../commands/interfaces/community.ts';
import { limitConcurrency } from '../../../process/concurrency-limit.ts';
import { createDownloads } from '../../../process/downloads.ts';
import { logoLimits } from '../../limits.ts';
import { loggable } from '../../loggable.ts';
import { drawnOnce } from './drawn-once.ts';

/**
 * Draws player cards one at a time, each in about 10 ms of this thread, and lets others go first in between. What is on a
 * card decides which picture it is.
 * @param withLogos whether cards have the community's logo, from the address in the owner's config
 */
export function createCards(log: Logger, withLogos: boolean): Pictures['card'] {
  const once = drawnOnce(() => import('../../../embeds/card/draw.ts'), 'player cards', log);
  const { run: oneAfterTheOther } = limitConcurrency(1);
  const logoOf = createDownloads({
    ...logoLimits,
    async read(file) {
      const { readLogo } = await import('../../../embeds/drawing/owner-image.ts');
      const logo = await readLogo(file);
      if (logo === null) throw new Error('it is no PNG of at most 2048 × 2048 pixels');
      return logo;
    },
    onFailure(error, url) {
      log.warn({ error: loggable(error), url }, 'player cards have no logo: it could not be loaded');
    },
  });
  return async (content, { accentColor, logoUrl }) => {
    const logo = withLogos && logoUrl !== null ? await logoOf(logoUrl) : null;
    const key = JSON.stringify([content, accentColor, logo !== null && logoUrl]);
    return await once(key, ({ drawCard }) =>
      oneAfterTheOther(async () => {
        await new Promise(setImmediate);
        const data = await drawCard(content, { accent: accentColor, logo });
        return { name: 'player.png', data, alt: content.alt };
      }),
    );
  };
}
