import type { Logger } from 'pino';
import type { readLogo } from '../../../embeds/drawing/owner-image.ts';
import { createDownloads } from '../../../process/downloads.ts';
import { logoLimits } from '../../limits.ts';
import { loggable } from '../../loggable.ts';

type Logo = NonNullable<Awaited<ReturnType<typeof readLogo>>>;

/** Returns a function that loads a community's logo from the address in the owner's config; null: it has none yet. */
export const createLogos = (log: Logger): ((url: string) => Promise<Logo | null>) =>
  createDownloads({
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
