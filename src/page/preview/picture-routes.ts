import { picturePath } from '../paths.ts';
import { readServers } from '../project.ts';
import { crossOrigin, type ProjectRoute } from '../route.ts';
import { pictureOf } from './link-preview.tsx';

/** What a link to a server or to a project shows. */
export const pictureRoutes: readonly ProjectRoute[] = [picturePath(), '/picture/:server/preview.png'].map(
  (path) => ({
    path,
    async make(context) {
      const { project, params, pictures } = context;
      const servers = await readServers(project, params['server']);
      if (params['server'] !== undefined && servers.length === 0) return null;
      const drawn = await pictures.draw(await pictureOf(context, servers));
      if (drawn === 'unavailable') return null;
      if (drawn === 'busy') {
        return {
          status: 503,
          type: 'text/plain; charset=utf-8',
          body: 'Try again.',
          headers: ['Retry-After', '5'],
        };
      }
      return { type: 'image/png', body: drawn.data, headers: crossOrigin };
    },
  }),
);
