import { readFile, stat } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Pictures } from '../../../commands/interfaces/community.ts';
import { heatAlt } from '../../../embeds/map/heat-map.ts';
import type { readMapImage } from '../../../embeds/drawing/owner-image.ts';
import { mostMapImages } from '../../limits.ts';
import { loggable } from '../../loggable.ts';
import { drawnOnce } from './drawn-once.ts';

type MapImage = Awaited<ReturnType<typeof readMapImage>>;

/** Draws heat maps. What is on one decides which picture it is. */
export function createHeatMaps(log: Logger): Pictures['heatMap'] {
  const once = drawnOnce(() => import('../../../embeds/map/draw.ts'), 'heat maps', log);
  const images = new LRUCache<string, Promise<MapImage | null>>({ max: mostMapImages });
  return async (view, imagePath, language) => {
    const version = imagePath === null ? null : await versionOf(imagePath);
    const imageOf = async (): Promise<MapImage | null> => {
      if (imagePath === null || version === null) return null;
      const image =
        images.get(version) ??
        loadMapImage(imagePath).catch((error: unknown) => {
          log.warn({ error: loggable(error), path: imagePath }, noImage);
          return null;
        });
      images.set(version, image);
      return await image;
    };
    return await once(JSON.stringify([view, version, language.locale]), async ({ drawHeatMap }) => {
      const data = await drawHeatMap(view, await imageOf(), language);
      return data && { name: 'heat-map.png', data, alt: heatAlt(language, view) };
    });
  };
}

const noImage = 'mapImage cannot be used, so heat maps have a grid instead';

/** Differs once the file was replaced, or may be read at last; also of a file that is missing. */
async function versionOf(path: string): Promise<string> {
  const stats = await stat(path).catch(() => null);
  return JSON.stringify([path, stats?.ctimeMs, stats?.size]);
}

/** Reads an owner's picture of a map. @throws Error that says what is wrong with it */
async function loadMapImage(path: string): Promise<MapImage> {
  const { largestMapImageBytes, readMapImage } = await import('../../../embeds/drawing/owner-image.ts');
  const stats = await stat(path);
  if (!stats.isFile()) throw new Error('it is no file');
  if (stats.size > largestMapImageBytes)
    throw new Error(`it has ${stats.size} bytes, and may have ${largestMapImageBytes}`);
  return await readMapImage(await readFile(path));
}
