import { ranges, type ChartRange } from '../../embeds/chart/axis.ts';
import { previewOfServer } from '../preview/link-preview.tsx';
import { readServer } from '../project.ts';
import type { ProjectRoute } from '../route.ts';
import { nameOr } from '../view.ts';
import { page } from '../views/layout.tsx';
import { ServerPage } from '../views/server.tsx';

/** A server: its state, player counts over time, and its schedule. */
export const server: ProjectRoute = {
  path: '/servers/:server',
  async make(context) {
    const { project, view, params, history } = context;
    const found = await readServer(project, params['server']);
    if (found === undefined) return null;
    const read = (range: ChartRange) => {
      const { spanMs, stepMs } = ranges[range];
      return history(found.id, view.now - spanMs, view.now, stepMs);
    };
    const [schedules, day, week] = await Promise.all([
      project.schedules([found.id]),
      read('24h'),
      read('7d'),
    ]);
    const own = schedules.get(found.id) ?? [];
    return page({
      view,
      title: nameOr(found.name, found.id),
      head: await previewOfServer(context, found, own),
      children: (
        <ServerPage
          view={view}
          server={found}
          schedules={own}
          canJoin={project.canJoin(found.id)}
          joinAddress={project.joinAddress(found.id)}
          histories={{ '24h': day, '7d': week }}
        />
      ),
    });
  },
};
