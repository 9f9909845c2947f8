import { summaryOf } from '../embedding/summary.ts';
import { serverPath } from '../paths.ts';
import { readServers } from '../project.ts';
import type { ProjectRoute } from '../route.ts';
import { absolute } from '../view.ts';

/** The state of all servers for status dashboards. */
export const summary: ProjectRoute = {
  path: '/summary.json',
  forPrograms: true,
  async make({ project, view, lastAnswerAt }) {
    const servers = await readServers(project);
    const schedules = await project.schedules(servers.map(({ id }) => id));
    const read = servers.map(async (server) => ({
      server,
      schedules: schedules.get(server.id) ?? null,
      downSince: server.status === 'OFFLINE' ? await lastAnswerAt(server.id) : null,
      url: absolute(view, serverPath(server.id)),
    }));
    const { slug, title } = view.project;
    const body = summaryOf({
      project: { id: slug, name: title, url: absolute(view, '') },
      servers: await Promise.all(read),
      now: view.now,
    });
    return { type: 'application/json; charset=utf-8', body: JSON.stringify(body) };
  },
};
