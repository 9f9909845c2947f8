import { keptForGood } from '../assets.ts';
import { imagePath } from '../paths.ts';
import type { ProjectRoute } from '../route.ts';

/** The owner's logo and banner, from the page's own address. */
export const imageRoutes: readonly ProjectRoute[] = (['logo', 'banner'] as const).map((kind) => ({
  path: imagePath(kind),
  query: ['v'],
  async make({ view, query }) {
    const image = view.project[kind];
    if (image === null) return null;
    const { type, body, version } = image;
    // A process with another picture may have written this address: browsers must not keep ours for it.
    return { type, body, headers: query['v'] === version ? keptForGood : [] };
  },
}));
