import { crossOrigin } from '../cross-origin.ts';
import type { PublicContent } from '../../server/http/public/public-parts.ts';
import { picturePath } from '../paths.ts';
import { pictureOfProject, pictureOfServer } from '../preview/link-preview.tsx';
import type { Picture } from '../preview/picture.ts';
import { readServer, readServers } from '../project.ts';
import type { ProjectRoute, RouteContext } from '../route.ts';

async function make({ pictures }: RouteContext, picture: Picture): Promise<PublicContent | null> {
  const drawn = await pictures.draw(picture);
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
}

/** What a link to a server or to a project shows. */
export const pictureRoutes: readonly ProjectRoute[] = [
  {
    path: picturePath(),
    async make(context) {
      const { project } = context;
      const servers = await readServers(project);
      const schedules = await project.schedules(servers.map(({ id }) => id));
      const shown = servers.map((server) => ({
        server,
        schedules: schedules.get(server.id) ?? null,
        joinUrl: null,
      }));
      return await make(context, await pictureOfProject(context, shown));
    },
  },
  {
    path: '/picture/:server/preview.png',
    async make(context) {
      const { project, params } = context;
      const server = await readServer(project, params['server']);
      if (server === undefined) return null;
      const schedules = (await project.schedules([server.id])).get(server.id) ?? null;
      return await make(context, await pictureOfServer(context, { server, schedules, joinUrl: null }));
    },
  },
];
