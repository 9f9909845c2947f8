import type { PublicContent } from '../../server/http/public/public-parts.ts';
import { calendarOf } from '../embedding/calendar.ts';
import { calendarPath, serverPath } from '../paths.ts';
import { plainName } from '../plain-name.ts';
import { readServers } from '../project.ts';
import type { ProjectRoute, RouteContext } from '../route.ts';
import { absolute } from '../view.ts';

async function make({ project, view }: RouteContext, serverId?: string): Promise<PublicContent | null> {
  const servers = (await readServers(project)).filter(({ id }) => serverId === undefined || id === serverId);
  const [first] = servers;
  if (serverId !== undefined && first === undefined) return null;
  const schedules = await project.schedules(servers.map(({ id }) => id));
  return {
    type: 'text/calendar; charset=utf-8',
    body: calendarOf({
      name: serverId === undefined || first === undefined ? view.project.title : plainName(first),
      servers: servers.map((server) => ({ server, schedules: schedules.get(server.id) ?? null })),
      language: view.language,
      urlOf: (id) => absolute(view, serverPath(id)),
      now: view.now,
    }),
  };
}

/** The public schedules of a server, or of all of a project, to subscribe to. */
export const calendars: readonly ProjectRoute[] = [
  { path: calendarPath(), forPrograms: true, make },
  {
    path: '/calendar/:server/schedules.ics',
    forPrograms: true,
    make: (context) => make(context, context.params['server'] ?? ''),
  },
];
