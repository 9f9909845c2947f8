import { keptForGood } from '../assets.ts';
import { imagePath } from '../paths.ts';
import type { ProjectRoute } from '../route.ts';

/** The owner's logo and banner, from the page's own address. */
export const imageRoutes: readonly ProjectRoute[] = (['logo', 'banner'] as const).map((kind) => ({
  path: imagePath(kind),
  async make({ view }) {
    const image = view.project[kind];
    return image && { type: image.type, body: image.body, headers: keptForGood };
  },
}));
