import type { PlayerHistory } from '../embeds/chart/history.ts';
import type { PublicContent } from '../server/http/public/public-parts.ts';
import type { Pictures } from './preview/pictures.ts';
import type { PageProject } from './project.ts';
import type { View, ViewedProject } from './view.ts';

export interface RouteContext {
  project: PageProject;
  view: View & { project: ViewedProject };
  /** From the path, unchecked. */
  params: Readonly<Record<string, string>>;
  /** The parameters that the route names in `query`, unchecked. */
  query: Readonly<Record<string, string | undefined>>;
  /** Of the keys of players' pages. */
  secret: Buffer;
  /** Player counts of a server. */
  history: PlayerHistory;
  /** When a server last answered; null: not known. */
  lastAnswerAt: (serverId: string) => Promise<number | null>;
  /** Draws what links show. */
  pictures: Pictures;
}

/** A path of each project. */
export interface ProjectRoute {
  /** In Fastify's syntax, without the project: empty for its first page. */
  path: string;
  /** The parameters of the query on which the content depends, besides `lang`. */
  query?: readonly string[];
  /** Read by programs: pages of any origin may read it, and plain text says what is not there. */
  forPrograms?: true;
  /** Null: there is no such thing. What is made is kept for two seconds. */
  make(context: RouteContext): Promise<PublicContent | null>;
}
