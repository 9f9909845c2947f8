import { readServer } from '../project.ts';
import type { ProjectRoute } from '../route.ts';
import { widgetPage } from '../views/widget.tsx';

/** A server for a frame in other people's pages. */
export const widget: ProjectRoute = {
  path: '/widget/:server',
  query: ['theme'],
  async make({ project, view, params, query }) {
    const server = await readServer(project, params['server']);
    if (server === undefined) return null;
    const schedules = (await project.schedules([server.id])).get(server.id) ?? [];
    const theme = query['theme'] === 'dark' || query['theme'] === 'light' ? query['theme'] : null;
    return widgetPage({ view, server, schedules, canJoin: project.canJoin(server.id), theme });
  },
};
