import { downSince, summaryOf } from '../embedding/summary.ts';
import { ranges } from '../../embeds/chart/axis.ts';
import { serverPath } from '../paths.ts';
import { readServers } from '../project.ts';
import type { ProjectRoute } from '../route.ts';
import { absolute } from '../view.ts';

/** The state of all servers for status dashboards. */
export const summary: ProjectRoute = {
  path: '/summary.json',
  forPrograms: true,
  async make({ project, view, history }) {
    const servers = await readServers(project);
    const schedules = await project.schedules(servers.map(({ id }) => id));
    const { spanMs, stepMs } = ranges['24h'];
    const read = servers.map(async (server) => {
      const isDown = server.status === 'OFFLINE';
      const past = isDown ? await history(server.id, view.now - spanMs, view.now, stepMs) : null;
      return {
        server,
        schedules: schedules.get(server.id) ?? null,
        downSince: past === null ? null : downSince(past.buckets),
        url: absolute(view, serverPath(server.id)),
      };
    });
    const { slug, title } = view.project;
    const body = summaryOf({
      project: { id: slug, name: title, url: absolute(view, '') },
      servers: await Promise.all(read),
      now: view.now,
    });
    return { type: 'application/json; charset=utf-8', body: JSON.stringify(body) };
  },
};
