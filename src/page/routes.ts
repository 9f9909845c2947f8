import { badges } from './embedding/badges.ts';
import { calendars } from './embedding/calendar.ts';
import { boards } from './pages/board.tsx';
import { home } from './pages/home.tsx';
import { imageRoutes } from './pages/image.ts';
import { playerRoutes } from './pages/player.tsx';
import { server } from './pages/server.tsx';
import { widget } from './pages/widget.tsx';
import { pictureRoutes } from './preview/link-preview.tsx';
import type { ProjectRoute } from './route.ts';

/** Everything that a project shows. README.md says how to add to it. */
export const projectRoutes: readonly ProjectRoute[] = [
  home,
  server,
  ...boards,
  ...playerRoutes,
  ...imageRoutes,
  // For other people's pages and programs.
  ...badges,
  ...calendars,
  ...pictureRoutes,
  widget,
];
