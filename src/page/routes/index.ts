import type { ProjectRoute } from '../route.ts';
import { board } from './board.tsx';
import { embeddingRoutes } from './embedding.ts';
import { home } from './home.tsx';
import { player } from './player.tsx';
import { server } from './server.tsx';

/** Everything that a project shows. README.md says how to add to it. */
export const projectRoutes: readonly ProjectRoute[] = [home, server, board, player, ...embeddingRoutes];
