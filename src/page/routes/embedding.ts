import type { ProjectRoute } from '../route.ts';
import { badges } from './badges.ts';
import { calendars } from './calendar.ts';
import { pictureRoutes } from './pictures.ts';
import { summary } from './summary.ts';
import { widget } from './widget.ts';

/** What other people's pages and programs show of a project. */
export const embeddingRoutes: readonly ProjectRoute[] = [
  ...badges,
  ...calendars,
  ...pictureRoutes,
  summary,
  widget,
];
