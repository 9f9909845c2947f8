import { setImmediate as turn } from 'node:timers/promises';
import { ServiceError, ServiceUnreachableError } from '../api/client-types.ts';
import type { PlayerHistory } from '../embeds/chart/series.ts';
import type { Clock } from '../process/clock.ts';
import type {
  PublicContent,
  PublicParts,
  PublicRequest,
  PublicSource,
} from '../server/http/public/public-parts.ts';
import { script, scriptPath } from './assets.ts';
import { createImages } from './images.ts';
import { failurePage, notFoundPage } from './pages/failures.tsx';
import { projectsPage } from './pages/projects.tsx';
import { drawEachOnce } from './preview/draw-once.ts';
import type { PageProject } from './project.ts';
import type { ProjectRoute } from './route.ts';
import { projectRoutes } from './routes.ts';
import { viewedProject, type PageSettings, type View } from './view.ts';
import { visitorOf, type Visitor } from './visitor.ts';

export interface PageOptions extends Pick<Clock, 'now'>, Omit<PageSettings, 'publicUrl'> {
  /** Where visitors reach this service; links need it that others show. */
  publicUrl: string | undefined;
  /** The projects that have a page, in the order in which they are listed. Read at each request. */
  projects: () => readonly PageProject[];
  /** The slug of the project that has a server; undefined: none has it. */
  slugOfServer: (serverId: string) => string | undefined;
  /** Signs the keys of players' pages. */
  secret: Buffer;
  history: PlayerHistory;
  /** Called with errors of making content, except those with which the service answers. */
  onError: (error: unknown) => void;
  /** Called once for each of the owner's pictures that could not be loaded. */
  onNoImage: (error: unknown, url: string) => void;
}

/** First parts of the service's own paths, and of those that the page has for an only project. They cannot be slugs. */
const reserved: ReadonlySet<string> = new Set([
  'v1',
  'docs',
  'join',
  'openapi.json',
  'healthz',
  'readyz',
  'metrics',
  '.well-known',
  scriptPath.slice(1),
  ...projectRoutes.map(({ path }) => path.split('/')[1] ?? ''),
]);

/** Whether a project's slug can begin a path. */
export const hasPath = (slug: string): boolean => !reserved.has(slug);

/** Of content whose route says nothing else. */
const cacheControl = ['Cache-Control', 'public, max-age=5'];

/** The project that a request is about, and what each of its paths begins with. */
interface Found {
  project: PageProject;
  base: string;
}

/** The public page: what everyone may see of the projects. */
export function createPage(options: PageOptions): PublicParts {
  const publicUrl = options.publicUrl?.replace(/\/+$/, '') ?? null;
  const { indexed, players, boards, secret, history } = options;
  const settings = { indexed, publicUrl, players, boards };
  const drawOnce = drawEachOnce();
  const images = createImages(options.onNoImage);

  /** Without a slug, the only project is meant, else the one that has the server: ids of servers are unique. */
  function findProject(slug?: string, serverId?: string): Found | null {
    const shown = options.projects();
    const isOnly = shown.length === 1;
    const implied = () => (isOnly ? shown[0]?.slug : serverId && options.slugOfServer(serverId));
    const wanted = slug ?? implied();
    const project = shown.find((one) => one.slug === wanted);
    return project === undefined ? null : { project, base: isOnly ? '' : `/${project.slug}` };
  }

  /**
   * Content for visitors of one language.
   * @param found null: it is about no project
   * @param key tells this content from all other in the language
   */
  function sourceOf(
    { language, chosen }: Visitor,
    found: Found | null,
    key: readonly unknown[],
    make: (view: View) => Promise<PublicContent | null>,
  ): PublicSource {
    return {
      key: JSON.stringify([language.locale, chosen, ...key]),
      async make() {
        // A page takes milliseconds, so requests that wait are answered first.
        await turn();
        const now = options.now();
        const project = found && (await viewedProject(found.project, found.base, images));
        const view = { ...settings, language, chosen, path: '', now, zone: 'UTC', project };
        try {
          const content = (await make(view)) ?? notFoundPage(view);
          const { status = 200, headers = [] } = content;
          if (status !== 200 || headers.includes('Cache-Control')) return content;
          return { ...content, headers: [...cacheControl, ...headers] };
        } catch (error) {
          const isOfService = error instanceof ServiceError || error instanceof ServiceUnreachableError;
          if (!isOfService) options.onError(error);
          return failurePage(view);
        }
      },
    };
  }

  function findSource(route: ProjectRoute, request: PublicRequest): PublicSource | null {
    const { project: slug, ...params } = request.params;
    if (slug !== undefined && !hasPath(slug)) return null;
    const visitor = visitorOf(request.headers['accept-language'], request.query);
    const found = findProject(slug, params['server']);
    if (found === null) {
      const isRoot = slug === undefined && route.path === '';
      return isRoot ? projectList(visitor) : notFound(visitor);
    }
    const { project, base } = found;
    const names = route.query ?? [];
    const query = Object.fromEntries(names.map((name) => [name, visitor.query.get(name) ?? undefined]));
    const key = [route.path, project.slug, base, params, query];
    return sourceOf(visitor, found, key, async (view) => {
      if (view.project === null) return null;
      const path = filledPath(route.path, params);
      const projectView = { ...view, path, zone: project.zone(params['server']), project: view.project };
      return await route.make({ project, view: projectView, params, query, secret, history, drawOnce });
    });
  }

  const projectList = (visitor: Visitor): PublicSource =>
    sourceOf(visitor, null, ['projects'], async (view) => {
      const shown = options.projects().map((project) => viewedProject(project, `/${project.slug}`));
      return projectsPage(view, await Promise.all(shown));
    });

  /** Has the name and the colour of the only project, if there is one. */
  const notFound = (visitor: Visitor): PublicSource =>
    sourceOf(visitor, findProject(), ['nothing'], async () => null);

  return {
    routes: [
      { url: scriptPath, anyOrigin: false, find: () => script },
      ...projectRoutes.flatMap((route) =>
        [route.path, `/:project${route.path}`].map((url) => ({
          url: url === '' ? '/' : url,
          anyOrigin: route.anyOrigin ?? false,
          find: (request: PublicRequest) => findSource(route, request),
        })),
      ),
    ],
  };
}

/** `/servers/:server` with the parameters of a request. */
function filledPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}
