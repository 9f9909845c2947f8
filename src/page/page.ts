import { setImmediate as turn } from 'node:timers/promises';
import { ServiceError, ServiceUnreachableError } from '../api/client-types.ts';
import type { PlayerHistory } from '../embeds/chart/history.ts';
import { isSupported, languageOf } from '../locales/language.ts';
import type { Clock } from '../process/clock.ts';
import type {
  PublicContent,
  PublicParts,
  PublicRequest,
  PublicSource,
} from '../server/http/public/public-parts.ts';
import { script, scriptPath } from './assets.ts';
import type { PageProject } from './project.ts';
import type { ProjectRoute, RouteContext } from './route.ts';
import { createPictures } from './preview/pictures.ts';
import { projectRoutes } from './routes/index.ts';
import { preferredLanguage, shortTag } from './visitor-language.ts';
import { failurePage, notFoundPage } from './views/failures.tsx';
import { projectsPage } from './views/projects.tsx';
import { viewedProject, type View } from './view.ts';

export interface PageOptions extends Clock {
  /** Search engines may list it. */
  indexed: boolean;
  /** Where visitors reach this service; links need it that others show. */
  publicUrl: string | undefined;
  /** False: people are left out. */
  players: boolean;
  /** The projects that have a page, in the order in which they are listed. Read at each request. */
  projects: () => readonly PageProject[];
  /** The slug of the project that has a server; undefined: none has it. */
  slugOfServer: (serverId: string) => string | undefined;
  /** Of the keys of players' pages. */
  secret: Buffer;
  history: PlayerHistory;
  /** When a server last answered; null: not known. */
  lastAnswerAt: (serverId: string) => Promise<number | null>;
  /** Called with what failed beside the service's own errors. */
  onError: (error: unknown) => void;
}

export type Page = PublicParts;

/** The first parts of paths that are not a project's: those of the service, and those of the page itself. */
const taken: ReadonlySet<string> = new Set(
  [
    ['v1', 'docs', 'join', 'openapi.json', 'healthz', 'readyz', 'metrics', '.well-known'],
    ['servers', 'boards', 'players', 'badge', 'widget', 'calendar', 'picture', 'summary.json'],
    [scriptPath.slice(1)],
  ].flat(),
);

/** Whether a project's slug can stand in an address; it cannot where the service has that path. */
export const hasPath = (slug: string): boolean => !taken.has(slug);

const cacheControl = ['Cache-Control', 'public, max-age=5'];
const operation = 'page';
const longestQuery = 500;

/** The public page: what everyone may see of the projects. */
export function createPage(options: PageOptions): Page {
  const onError = (error: unknown): void => {
    const isOfService = error instanceof ServiceError || error instanceof ServiceUnreachableError;
    if (!isOfService) options.onError(error);
  };
  const pictures = createPictures();

  /** Its paths begin with the slug where there are several. Those with a server stay valid without it: ids are unique. */
  const find = (named: string | undefined, serverId?: string): Found | null => {
    const shown = options.projects();
    const isOnly = shown.length === 1;
    const slug = named ?? (isOnly || serverId === undefined ? undefined : options.slugOfServer(serverId));
    const project = slug === undefined && isOnly ? shown[0] : shown.find((one) => one.slug === slug);
    return project === undefined ? null : { project, base: isOnly ? '' : `/${project.slug}` };
  };

  const viewOf = (visitor: Visitor): View => ({
    language: visitor.language,
    chosen: visitor.chosen,
    project: null,
    path: '',
    indexed: options.indexed,
    publicUrl: options.publicUrl?.replace(/\/+$/, '') ?? null,
    players: options.players,
    now: options.now(),
  });

  /** The view of a page of a project. */
  const ownView = (view: View, { project, base }: Found, path = ''): OwnView => ({
    ...view,
    path,
    project: viewedProject(project.branding(), base),
  });

  /** @param parts what makes it another source than all others in the visitor's language */
  const sourceOf = (
    visitor: Visitor,
    parts: readonly unknown[],
    work: (view: View) => Promise<PublicContent | null>,
  ): PublicSource => ({
    key: JSON.stringify([visitor.language.locale, visitor.chosen, ...parts]),
    async make() {
      // Requests of others come first: a page takes milliseconds.
      await turn();
      const view = viewOf(visitor);
      try {
        return keptBriefly((await work(view)) ?? notFoundPage(view));
      } catch (error) {
        onError(error);
        return failurePage(view);
      }
    },
  });

  const findSource = (
    route: ProjectRoute,
    { params: { project: slug, ...params }, query: text, headers }: PublicRequest,
  ): PublicSource | null => {
    if (slug !== undefined && !hasPath(slug)) return null;
    const visitor = visitorOf(headers['accept-language'], text);
    const found = find(slug, params['server']);
    if (found === null) {
      if (slug === undefined && route.path === '') return projectsSource(visitor);
      const only = find(undefined);
      return sourceOf(visitor, ['nowhere', route.forPrograms], async (view) =>
        notFound(route, only === null ? view : ownView(view, only)),
      );
    }
    const { project, base } = found;
    const query = Object.fromEntries(
      (route.query ?? []).map((name) => [name, visitor.query.get(name) ?? undefined]),
    );
    return sourceOf(visitor, [route.path, project.slug, base, params, query], async (view) => {
      const own = ownView(view, found, pathOf(route.path, params));
      const { secret, history, lastAnswerAt } = options;
      const made = await route.make({
        project,
        view: own,
        params,
        query,
        secret,
        history,
        lastAnswerAt,
        pictures,
      });
      return made ?? notFound(route, { ...own, path: '' });
    });
  };

  const projectsSource = (visitor: Visitor): PublicSource =>
    sourceOf(visitor, ['projects'], async (view) =>
      projectsPage(
        view,
        options.projects().map((one) => viewedProject(one.branding(), `/${one.slug}`)),
      ),
    );

  return {
    routes: [
      { url: scriptPath, operation, anyOrigin: false, find: () => script },
      ...projectRoutes.flatMap((route) =>
        [route.path, `/:project${route.path}`].map((url) => ({
          url: url === '' ? '/' : url,
          operation,
          anyOrigin: route.forPrograms ?? false,
          find: (request: PublicRequest) => findSource(route, request),
        })),
      ),
    ],
  };
}

interface Found {
  project: PageProject;
  base: string;
}

type OwnView = RouteContext['view'];

interface Visitor {
  language: View['language'];
  chosen: string | null;
  query: URLSearchParams;
}

const noQuery = new URLSearchParams();

function visitorOf(acceptLanguage: string | undefined, text: string): Visitor {
  const query = text === '' || text.length > longestQuery ? noQuery : new URLSearchParams(text);
  const chosen = query.get('lang');
  if (chosen !== null && isSupported(chosen)) {
    const language = languageOf(chosen);
    const short = shortTag(language.locale);
    const isShort = chosen === short;
    return { language: isShort ? preferredLanguage(acceptLanguage, short) : language, chosen: short, query };
  }
  return { language: preferredLanguage(acceptLanguage), chosen: null, query };
}

/** The path of a route with its parameters. */
function pathOf(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}

const notFound = (route: ProjectRoute, view: View): PublicContent =>
  route.forPrograms ? nothingForPrograms : notFoundPage(view);

const nothingForPrograms: PublicContent = {
  status: 404,
  type: 'text/plain; charset=utf-8',
  body: 'No server or project has this address. Where there are several projects, it begins with the slug of one: /<slug>/summary.json\n',
};

/** Content as it is given, which visitors keep for seconds. */
function keptBriefly(content: PublicContent): PublicContent {
  const { status = 200, headers = [] } = content;
  return status === 200 ? { ...content, headers: [...cacheControl, ...headers] } : content;
}
