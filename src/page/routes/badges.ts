import {
  badgeKinds,
  badgeSvg,
  projectBadge,
  serverBadge,
  shieldsEndpoint,
  type Badge,
} from '../embedding/badges.ts';
import { crossOrigin } from '../cross-origin.ts';
import type { PublicContent } from '../../server/http/public/public-parts.ts';
import { badgePath } from '../paths.ts';
import { readServer, readServers } from '../project.ts';
import type { ProjectRoute } from '../route.ts';

const formats = {
  svg: (badge: Badge): PublicContent => ({
    type: 'image/svg+xml',
    body: badgeSvg(badge),
    headers: crossOrigin,
  }),
  json: (badge: Badge): PublicContent => ({
    type: 'application/json; charset=utf-8',
    body: JSON.stringify(shieldsEndpoint(badge)),
  }),
} as const;

/** The state and the players of a server, or of all of a project, as pictures for other pages, and for shields.io. */
export const badges: readonly ProjectRoute[] = badgeKinds.flatMap((kind) =>
  Object.entries(formats).flatMap(([format, write]): ProjectRoute[] => [
    {
      path: badgePath(`${kind}.${format}`),
      forPrograms: true,
      async make({ project, view }) {
        return write(projectBadge(kind, view.project.title, await readServers(project)));
      },
    },
    {
      path: `/badge/:server/${kind}.${format}`,
      forPrograms: true,
      async make({ project, params }) {
        const found = await readServer(project, params['server']);
        return found === undefined ? null : write(serverBadge(kind, found));
      },
    },
  ]),
);
