import type { Schedule } from '../../src/api/resources.ts';
import { createPage, type PageOptions } from '../../src/page/page.ts';
import type { PageProject } from '../../src/page/project.ts';
import type { PublicContent, PublicParts, PublicRequest } from '../../src/server/http/public/public-parts.ts';
import { contractClient, type Handlers } from '../commands/contract-client.ts';
import { now, project, schedule, support } from '../embeds/contract-data.ts';

export const publicUrl = 'https://play.example.org';

/** A project whose servers can all be joined, and have one schedule. */
export function pageProject(
  handlers: Partial<Handlers> = {},
  over: Partial<Omit<PageProject, 'client'>> = {},
): PageProject {
  return {
    slug: 'northwood',
    client: contractClient(handlers),
    branding: () => ({ name: project.name, support: { ...support, logoUrl: null, bannerUrl: null } }),
    canJoin: () => true,
    joinAddress: () => null,
    schedules: (ids) => Promise.resolve(new Map<string, Schedule[]>(ids.map((id) => [id, [schedule()]]))),
    player: () => Promise.resolve(null),
    boards: {
      offered: () => Promise.resolve({ periods: [] }),
      read: () => Promise.resolve({ rows: [], since: null, previous: [] }),
      changes: () => Promise.resolve(new Map()),
    },
    remember: (_, read) => read(),
    zone: () => 'Europe/Berlin',
    ...over,
  };
}

export function openPage(projects: readonly PageProject[], over: Partial<PageOptions> = {}): PublicParts {
  return createPage({
    indexed: false,
    publicUrl,
    players: true,
    boards: ['PLAYER_KILLS', 'LONGEST_KILL', 'PLAYTIME'],
    projects: () => projects,
    slugOfServer: () => undefined,
    secret: Buffer.alloc(32),
    history: () => Promise.resolve({ timezone: 'Europe/Berlin', buckets: [] }),
    onError(error) {
      throw error;
    },
    onNoImage(error) {
      throw error;
    },
    now: () => now,
    ...over,
  });
}

export interface Visited extends Required<PublicContent> {
  body: Buffer;
  text: string;
}

/** What a visitor of an address gets; null: there is no such path. */
export async function visit(
  page: PublicParts,
  address: string,
  headers: PublicRequest['headers'] = {},
): Promise<Visited | null> {
  const { pathname, search } = new URL(address, publicUrl);
  for (const { url, find } of page.routes.toSorted(
    (one, other) => parametersOf(one.url) - parametersOf(other.url),
  )) {
    const found = patternOf(url).exec(pathname);
    if (found === null) continue;
    const params = Object.fromEntries(
      Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
    );
    const content = await find({ params, query: search.slice(1), headers })?.make();
    if (content !== undefined) {
      const body = Buffer.from(content.body);
      return { status: 200, headers: [], ...content, body, text: body.toString() };
    }
  }
  return null;
}

const parametersOf = (url: string): number => url.split(':').length;
const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replaceAll('.', '\\.').replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`);

export function headerOf({ headers }: Visited, name: string): string | undefined {
  const at = headers.findIndex((each, index) => index % 2 === 0 && each.toLowerCase() === name.toLowerCase());
  return at === -1 ? undefined : headers[at + 1];
}
