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
  /** Of the keys of players' pages. */
  secret: Buffer;
  history: PlayerHistory;
  /** Called with what failed beside the service's own errors. */
  onError: (error: unknown) => void;
  /** Called once for each of the owner's pictures that could not be loaded. */
  onNoImage: (error: unknown, url: string) => void;
}

/** The first parts of paths that are not a project's: those of the service, and those of the page itself. */
const taken: ReadonlySet<string> = new Set([
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

/** Whether a project's slug can begin a path; it cannot where the service has that path itself. */
export const hasPath = (slug: string): boolean => !taken.has(slug);

/** For how long visitors keep what they get. */
const cacheControl = ['Cache-Control', 'public, max-age=5'];

/** A project, and what each of its paths begins with. */
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

  /** Paths begin with the slug where there are several projects. Those with a server stay valid without it: ids are unique. */
  function find(slug: string | undefined, serverId: string | undefined): Found | null {
    const shown = options.projects();
    const isOnly = shown.length === 1;
    const named =
      slug ?? (isOnly ? shown[0]?.slug : serverId === undefined ? undefined : options.slugOfServer(serverId));
    const project = shown.find((one) => one.slug === named);
    return project === undefined ? null : { project, base: isOnly ? '' : `/${project.slug}` };
  }

  /**
   * @param found null: it is about no project
   * @param key what makes it another source than all others in the visitor's language
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
        // Requests of others come first: a page takes milliseconds.
        await turn();
        const now = options.now();
        const project = found && (await viewedProject(found.project, found.base, images));
        const view = { ...settings, language, chosen, path: '', now, zone: 'UTC', project };
        try {
          const content = (await make(view)) ?? notFoundPage(view);
          const { status = 200, headers = [] } = content;
          return status === 200 && !headers.includes('Cache-Control')
            ? { ...content, headers: [...cacheControl, ...headers] }
            : content;
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
    const found = find(slug, params['server']);
    if (found === null)
      return slug === undefined && route.path === '' ? projectList(visitor) : nothing(visitor);
    const { project, base } = found;
    const query = Object.fromEntries(
      (route.query ?? []).map((name) => [name, visitor.query.get(name) ?? undefined]),
    );
    const key = [route.path, project.slug, base, params, query];
    return sourceOf(visitor, found, key, async (view) => {
      if (view.project === null) return null;
      const own = { path: pathOf(route.path, params), zone: project.zone(params['server']) };
      const shown = { ...view, ...own, project: view.project };
      return await route.make({ project, view: shown, params, query, secret, history, drawOnce });
    });
  }

  const projectList = (visitor: Visitor): PublicSource =>
    sourceOf(visitor, null, ['projects'], async (view) => {
      const shown = options.projects().map((project) => viewedProject(project, `/${project.slug}`));
      return projectsPage(view, await Promise.all(shown));
    });

  /** What is not there has the name and the colour of the only project. */
  const nothing = (visitor: Visitor): PublicSource =>
    sourceOf(visitor, find(undefined, undefined), ['nothing'], async () => null);

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

function pathOf(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}
