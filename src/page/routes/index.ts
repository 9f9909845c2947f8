import type { ProjectRoute } from '../route.ts';
import { badges } from './badges.ts';
import { board } from './board.tsx';
import { calendars } from './calendar.ts';
import { home } from './home.tsx';
import { pictureRoutes } from './pictures.ts';
import { player } from './player.tsx';
import { server } from './server.tsx';
import { summary } from './summary.ts';
import { widget } from './widget.ts';

/** Everything that a project shows. README.md says how to add to it. */
export const projectRoutes: readonly ProjectRoute[] = [
  home,
  server,
  board,
  player,
  // For other people's pages and programs.
  ...badges,
  ...calendars,
  ...pictureRoutes,
  summary,
  widget,
];
