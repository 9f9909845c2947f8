import { setImmediate as turn } from 'node:timers/promises';
import type { Leaderboard, Server } from '../api/resources.ts';
import type { Clock } from '../process/clock.ts';
import type { PageRequest } from './content.ts';
import { readBoards, readServers, type PageProject } from './project.ts';

export interface EventsOptions extends Pick<Clock, 'monotonic'> {
  players: boolean;
  projects: () => readonly PageProject[];
  revision: () => number;
  onError: (error: unknown) => void;
}

export interface PageEvents {
  streams: readonly {
    url: string;
    operation: string;
    open(request: PageRequest, send: (text: string) => void): Promise<(() => void) | null>;
  }[];
  stop(): void;
}

const everyMs = 1_000;
/** Leaderboards change with each kill, and whoever looks at one gets it anew. */
const boardsEveryMs = 10_000;
/** To tell a thousand at once would keep other requests waiting for as long as ten of them take. */
const toldPerTurn = 25;

/** What the streams of one project have been told. */
interface Told {
  readers: Set<(text: string) => void>;
  /** The state of its servers, as it was sent last. */
  servers: { text: string; ids: string } | null;
  boards: readonly Leaderboard[] | null;
  boardsAt: number;
  revision: number;
}

/**
 * `/events`: what changes on the pages of a project, as server-sent events. `servers` holds the state of all servers;
 * `boards` and `people` say that leaderboards or the list of servers changed, or that somebody was hidden or forgotten: they
 * name nobody, the visitor's browser fetches the page again. While nobody listens, nothing is read.
 *
 * After a break, whose sign is `Last-Event-ID`, anything may have been missed: the browser fetches the page again.
 */
export function createEvents({ players, projects, revision, onError, monotonic }: EventsOptions): PageEvents {
  const byProject = new Map<string, Told>();
  let timer: NodeJS.Timeout | null = null;

  const tell = async ({ readers }: Told, text: string): Promise<void> => {
    let count = 0;
    for (const send of readers) {
      send(text);
      count += 1;
      if (count % toldPerTurn === 0) await turn();
    }
  };

  /** @param project undefined: it is not shown any more */
  const lookAtServers = async (project: PageProject | undefined, told: Told): Promise<void> => {
    const servers = project === undefined ? [] : await readServers(project);
    const text = publicState(servers);
    if (text === told.servers?.text) return;
    const ids = servers.map(({ id }) => id).join(' ');
    const isOtherList = told.servers !== null && told.servers.ids !== ids;
    told.servers = { text, ids };
    await tell(told, eventOf('servers', text));
    // A page shows the servers that it was made with.
    if (isOtherList) await tell(told, eventOf('boards'));
  };
  const lookAtPeople = async (project: PageProject, told: Told): Promise<void> => {
    if (!players) return;
    if (told.revision !== revision()) {
      told.revision = revision();
      await tell(told, eventOf('people'));
    }
    if (monotonic() - told.boardsAt < boardsEveryMs) return;
    told.boardsAt = monotonic();
    const boards = await readBoards(project);
    // The client returns the same answer while it is the same.
    if (told.boards !== null && JSON.stringify(told.boards) !== JSON.stringify(boards))
      await tell(told, eventOf('boards'));
    told.boards = boards;
  };

  const look = async (): Promise<void> => {
    const shown = projects();
    for (const [slug, told] of byProject) {
      const project = shown.find((one) => one.slug === slug);
      try {
        await lookAtServers(project, told);
        if (project !== undefined) await lookAtPeople(project, told);
      } catch (error) {
        onError(error);
      }
    }
  };
  const lookLater = (): void => {
    timer = setTimeout(() => {
      void look().finally(() => {
        timer = null;
        if (byProject.size > 0) lookLater();
      });
    }, everyMs).unref();
  };

  const open = async (
    { query, headers }: PageRequest,
    send: (text: string) => void,
  ): Promise<(() => void) | null> => {
    const slug = new URLSearchParams(query).get('project');
    const project = projects().find((one) => one.slug === slug);
    if (project === undefined) return null;
    const told = byProject.get(project.slug) ?? newTold();
    byProject.set(project.slug, told);
    let isTold = false;
    const reader = (text: string): void => {
      isTold = true;
      send(text);
    };
    told.readers.add(reader);
    const stop = (): void => {
      told.readers.delete(reader);
      if (told.readers.size === 0) byProject.delete(project.slug);
    };
    try {
      if (told.servers === null) await lookAtServers(project, told);
    } catch (error) {
      stop();
      throw error;
    }
    // A page that was cached may be seconds older than the state.
    if (!isTold && told.servers !== null) send(eventOf('servers', told.servers.text));
    if (headers['last-event-id'] !== undefined) send(eventOf(players ? 'people' : 'boards'));
    if (timer === null) lookLater();
    return stop;
  };
  const newTold = (): Told => ({
    readers: new Set(),
    servers: null,
    boards: null,
    boardsAt: -Infinity,
    revision: revision(),
  });

  return {
    streams: [{ url: '/events', operation: 'page events', open }],
    stop() {
      if (timer !== null) clearTimeout(timer);
      byProject.clear();
    },
  };
}

/** An id is all that has a browser say that it comes back. */
const eventOf = (kind: 'servers' | 'boards' | 'people', data = '{}'): string =>
  `id: 1\nevent: ${kind}\ndata: ${data}\n\n`;

/** What a page shows of servers and changes often. */
function publicState(servers: readonly Server[]): string {
  return JSON.stringify(
    servers.map(({ id, status, players, maxPlayers }) => ({ id, status, players, maxPlayers })),
  );
}
