import { randomBytes } from 'node:crypto';
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
  servers: { id: number; text: string; ids: string } | null;
  /** The last event that has the page fetched anew; 0: none. */
  refresh: { id: number; kind: 'boards' | 'people' };
  boards: readonly Leaderboard[] | null;
  boardsAt: number;
  revision: number;
}

/**
 * `/events`: what changes on the pages of a project, as server-sent events. `servers` holds the state of all servers;
 * `boards` and `people` say that leaderboards or the list of servers changed, or that somebody was hidden or forgotten: they
 * name nobody, the visitor's browser fetches the page again. While nobody listens, nothing is read.
 *
 * An id is that of the process and a number. The state of servers replaces the one before, so that after a break
 * (`Last-Event-ID`) the latest of each kind are all that a visitor has missed.
 */
export function createEvents({ players, projects, revision, onError, monotonic }: EventsOptions): PageEvents {
  const epoch = randomBytes(6).toString('base64url');
  const byProject = new Map<string, Told>();
  let last = 0;
  let timer: NodeJS.Timeout | null = null;

  const eventOf = (id: number, kind: string, data: string): string =>
    `id: ${epoch}-${id}\nevent: ${kind}\ndata: ${data}\n\n`;
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
    told.servers = { id: (last += 1), text, ids };
    await tell(told, eventOf(told.servers.id, 'servers', text));
    // A page shows the servers that it was made with.
    if (isOtherList) await refresh(told, 'boards');
  };
  const refresh = async (told: Told, kind: 'boards' | 'people'): Promise<void> => {
    told.refresh = { id: (last += 1), kind };
    await tell(told, eventOf(told.refresh.id, kind, '{}'));
  };
  const lookAtPeople = async (project: PageProject, told: Told): Promise<void> => {
    if (!players) return;
    if (told.revision !== revision()) {
      told.revision = revision();
      await refresh(told, 'people');
    }
    if (monotonic() - told.boardsAt < boardsEveryMs) return;
    told.boardsAt = monotonic();
    const boards = await readBoards(project);
    // The client returns the same answer while it is the same.
    if (told.boards !== null && JSON.stringify(told.boards) !== JSON.stringify(boards))
      await refresh(told, 'boards');
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
    const seen = seenBefore(headers['last-event-id'], epoch);
    const { servers, refresh } = told;
    // A page that was cached may be seconds older than the state.
    if (!isTold && servers !== null && servers.id > (seen ?? 0))
      send(eventOf(servers.id, 'servers', servers.text));
    if (seen !== null && refresh.id > seen) send(eventOf(refresh.id, refresh.kind, '{}'));
    if (timer === null) lookLater();
    return stop;
  };
  const newTold = (): Told => ({
    readers: new Set(),
    servers: null,
    // Nobody has looked for changes until now: who comes back may have missed some.
    refresh: { id: (last += 1), kind: players ? 'people' : 'boards' },
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

/**
 * The number of the last event that a visitor has; 0: of another process, so that anything may have been missed; null: this
 * is no return.
 */
function seenBefore(id: string | string[] | undefined, epoch: string): number | null {
  if (id === undefined || id === '') return null;
  const [, own, number] = /^([\w-]+)-(\d{1,12})$/.exec(String(id)) ?? [];
  return own === epoch ? Number(number) : 0;
}

/** What a page shows of servers and changes often. */
function publicState(servers: readonly Server[]): string {
  return JSON.stringify(
    servers.map(({ id, status, players, maxPlayers }) => ({ id, status, players, maxPlayers })),
  );
}
