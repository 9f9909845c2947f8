import type { ProjectRoute } from '../route.ts';
import { home } from './home.tsx';

/** Everything that a project shows. README.md says how to add to it. */
export const projectRoutes: readonly ProjectRoute[] = [home];
