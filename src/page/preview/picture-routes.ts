import { picturePath } from '../paths.ts';
import { readServers } from '../project.ts';
import { crossOrigin, type ProjectRoute } from '../route.ts';
import { pictureOf } from './link-preview.tsx';

/** What a link to a server or to a project shows. */
export const pictureRoutes: readonly ProjectRoute[] = [picturePath(), '/picture/:server/preview.png'].map(
  (path) => ({
    path,
    async make(context) {
      const { project, params, drawOnce } = context;
      const servers = await readServers(project, params['server']);
      if (params['server'] !== undefined && servers.length === 0) return null;
      const picture = await pictureOf(context, servers);
      const body = await drawOnce(picture, async (code) => code.drawPicture(picture));
      return body === null ? null : { type: 'image/png', body, headers: crossOrigin };
    },
  }),
);
