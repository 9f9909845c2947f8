import type { PlayerHistory } from '../embeds/chart/series.ts';
import type { PublicContent } from '../server/http/public/public-parts.ts';
import type { DrawOnce } from './preview/draw-once.ts';
import type { PageProject } from './project.ts';
import type { ProjectView } from './view.ts';

/** What a route makes its content from. */
export interface RouteContext {
  project: PageProject;
  view: ProjectView;
  /** From the path, unchecked. */
  params: Readonly<Record<string, string>>;
  /** The parameters that the route names in `query`, unchecked. */
  query: Readonly<Record<string, string | undefined>>;
  /** Signs the keys of players' pages. */
  secret: Buffer;
  /** Player counts of a server. */
  history: PlayerHistory;
  /** Draws what links show. */
  drawOnce: DrawOnce;
}

/** A path that each project has, and what is served there. */
export interface ProjectRoute {
  /** In Fastify's syntax, without the project: empty for its first page. */
  path: string;
  /** The parameters of the query on which the content depends, besides `lang`. */
  query?: readonly string[];
  /** Pages of any origin may read it in a browser: it is for programs. */
  anyOrigin?: true;
  /** Null: there is no such thing. What is made is kept for a second. */
  make(context: RouteContext): Promise<PublicContent | null>;
}

/** Headers of pictures, which pages of others may show. */
export const crossOrigin = ['Cross-Origin-Resource-Policy', 'cross-origin'] as const;
