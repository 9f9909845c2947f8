import { readFile, stat } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Pictures } from '../../commands/interfaces/community.ts';
import type { PlayerHistory } from '../../embeds/chart/series.ts';
import type { readMapImage } from '../../embeds/drawing/owner-image.ts';
import { heatAlt } from '../../embeds/map/heat-map.ts';
import { limitConcurrency } from '../../process/concurrency-limit.ts';
import { createDownloads } from '../../process/downloads.ts';
import { logoLimits, mostMapImages } from '../limits.ts';
import { loggable } from '../loggable.ts';
import { createCharts } from './charts.ts';
import { drawnOnce } from './drawn-once.ts';

/** @param history null: the bot reads a service elsewhere. It draws no charts, and loads no logos. */
export function createPictures(log: Logger, history: PlayerHistory | null): Pictures {
  const noCharts = { players: async () => null, recap: async () => null };
  return {
    ...(history === null ? noCharts : createCharts(history, log)),
    card: createCards(log, history !== null),
    heatMap: createHeatMaps(log),
  };
}

/**
 * Draws player cards one at a time, each in about 10 ms of this thread, and lets others go first in between. What is on a
 * card decides which picture it is.
 * @param withLogos whether cards have the community's logo, from the address in the owner's config
 */
export function createCards(log: Logger, withLogos: boolean): Pictures['card'] {
  const once = drawnOnce(() => import('../../embeds/card/draw.ts'), 'player cards', log);
  const { run: oneAfterTheOther } = limitConcurrency(1);
  const logoOf = createDownloads({
    ...logoLimits,
    async read(file) {
      const { readLogo } = await import('../../embeds/drawing/owner-image.ts');
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

type MapImage = Awaited<ReturnType<typeof readMapImage>>;

/** Draws heat maps. What is on one decides which picture it is. */
function createHeatMaps(log: Logger): Pictures['heatMap'] {
  const once = drawnOnce(() => import('../../embeds/map/draw.ts'), 'heat maps', log);
  /** The owner's pictures of maps by their versions; null: it cannot be used, so heat maps have a grid instead. */
  const images = new LRUCache<string, Promise<MapImage | null>>({ max: mostMapImages });
  function imageOf(path: string, version: string): Promise<MapImage | null> {
    const image =
      images.get(version) ??
      loadMapImage(path).catch((error: unknown) => {
        const problem = 'mapImage cannot be used, so heat maps have a grid instead';
        log.warn({ error: loggable(error), path }, problem);
        return null;
      });
    images.set(version, image);
    return image;
  }
  return async (view, path, language) => {
    const version = path === null ? '' : await versionOf(path);
    return await once(JSON.stringify([view, version, language.locale]), async ({ drawHeatMap }) => {
      const image = path === null ? null : await imageOf(path, version);
      const data = await drawHeatMap(view, image, language);
      return data && { name: 'heat-map.png', data, alt: heatAlt(language, view) };
    });
  };
}

/** Differs once the file was replaced, or may be read at last; also of a file that is missing. */
async function versionOf(path: string): Promise<string> {
  const stats = await stat(path).catch(() => null);
  return JSON.stringify([path, stats?.ctimeMs, stats?.size]);
}

/** @throws Error that says what is wrong with the file */
async function loadMapImage(path: string): Promise<MapImage> {
  const { largestMapImageBytes, readMapImage } = await import('../../embeds/drawing/owner-image.ts');
  const stats = await stat(path);
  if (!stats.isFile()) throw new Error('it is no file');
  if (stats.size > largestMapImageBytes)
    throw new Error(`it has ${stats.size} bytes, and may have ${largestMapImageBytes}`);
  return await readMapImage(await readFile(path));
}
