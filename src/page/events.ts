import { setImmediate as turn } from 'node:timers/promises';
import type { Leaderboard } from '../api/resources.ts';
import { oldCheck } from '../embeds/status.ts';
import type { Clock } from '../process/clock.ts';
import type { PublicRequest } from '../server/http/public/public-parts.ts';
import { readBoards, readServers, type PageProject } from './project.ts';

interface EventsOptions extends Pick<Clock, 'monotonic' | 'now'> {
  players: boolean;
  projects: () => readonly PageProject[];
  revision: () => number;
  onError: (error: unknown) => void;
}

type Send = (text: string) => void;

const everyMs = 1_000;
/** Leaderboards change with each kill. */
const boardsEveryMs = 10_000;
/** To send to a thousand at once would keep other requests waiting for as long as ten of them take. */
const sentPerTurn = 25;

/**
 * `/events`: what changes on the pages of a project, as server-sent events. `servers` holds the state of all servers;
 * `boards` says that leaderboards or what else a page shows of servers changed, `people` that somebody was hidden or
 * forgotten: they name no player, the visitor's browser fetches the page again. While no stream is open, nothing is read.
 *
 * After a break, whose sign is `Last-Event-ID`, anything may have been missed: the browser fetches the page again.
 */
export class PageEvents {
  readonly streams = [
    {
      url: '/events',
      operation: 'page events',
      open: async (request: PublicRequest, send: Send) => await this.#open(request, send),
    },
  ] as const;
  readonly #options: EventsOptions;
  readonly #byProject = new Map<string, ProjectEvents>();
  #timer: NodeJS.Timeout | null = null;

  constructor(options: EventsOptions) {
    this.#options = options;
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#byProject.clear();
  }

  /** @returns ends the stream; null: there is no such project */
  async #open({ query, headers }: PublicRequest, send: Send): Promise<(() => void) | null> {
    const slug = new URLSearchParams(query).get('project');
    const project = this.#options.projects().find((one) => one.slug === slug);
    if (project === undefined) return null;
    const events = this.#byProject.get(project.slug) ?? new ProjectEvents(this.#options);
    this.#byProject.set(project.slug, events);
    const close = (): void => {
      if (events.unsubscribe(send) === 0) this.#byProject.delete(project.slug);
    };
    try {
      await events.subscribe(project, send);
    } catch (error) {
      close();
      throw error;
    }
    if (headers['last-event-id'] !== undefined) send(eventOf(this.#options.players ? 'people' : 'boards'));
    if (this.#timer === null) this.#schedulePoll();
    return close;
  }

  #schedulePoll(): void {
    this.#timer = setTimeout(() => {
      void this.#poll().finally(() => {
        this.#timer = null;
        if (this.#byProject.size > 0) this.#schedulePoll();
      });
    }, everyMs).unref();
  }

  async #poll(): Promise<void> {
    const shown = this.#options.projects();
    for (const [slug, events] of this.#byProject) {
      try {
        await events.poll(shown.find((one) => one.slug === slug));
      } catch (error) {
        this.#options.onError(error);
      }
    }
  }
}

/** The streams of one project, and what was sent to them last. */
class ProjectEvents {
  readonly #options: EventsOptions;
  readonly #subscribers = new Set<Send>();
  #servers: { text: string; facts: string } | null = null;
  #boards: readonly Leaderboard[] | null = null;
  #boardsAt = -Infinity;
  #revision: number;

  constructor(options: EventsOptions) {
    this.#options = options;
    this.#revision = options.revision();
  }

  /** Sends the state of the servers at first: a page that was cached may be seconds older. */
  async subscribe(project: PageProject, send: Send): Promise<void> {
    const first = this.#servers;
    this.#subscribers.add(send);
    if (first === null) await this.#pollServers(project);
    else send(eventOf('servers', first.text));
  }

  /** @returns how many are left */
  unsubscribe(send: Send): number {
    this.#subscribers.delete(send);
    return this.#subscribers.size;
  }

  /** @param project undefined: it is not shown any more */
  async poll(project: PageProject | undefined): Promise<void> {
    await this.#pollServers(project);
    if (project !== undefined && this.#options.players) await this.#pollPeople(project);
  }

  async #pollServers(project: PageProject | undefined): Promise<void> {
    const servers = project === undefined ? [] : await readServers(project);
    const text = JSON.stringify(
      servers.map(({ id, status, players, maxPlayers }) => ({ id, status, players, maxPlayers })),
    );
    const facts = JSON.stringify(
      servers.map((server) => {
        const { id, name, map, maxPlayers } = server;
        return [id, name, map, maxPlayers, oldCheck([server], this.#options.now())];
      }),
    );
    const last = this.#servers;
    this.#servers = { text, facts };
    if (text !== last?.text) await this.#publish(eventOf('servers', text));
    // A page shows the servers that it was made with.
    if (last !== null && last.facts !== facts) await this.#publish(eventOf('boards'));
  }

  async #pollPeople(project: PageProject): Promise<void> {
    const { revision, monotonic } = this.#options;
    if (this.#revision !== revision()) {
      this.#revision = revision();
      await this.#publish(eventOf('people'));
    }
    if (monotonic() - this.#boardsAt < boardsEveryMs) return;
    this.#boardsAt = monotonic();
    const boards = (await readBoards(project)) ?? [];
    // The client returns the same answer while it is the same.
    if (this.#boards !== null && JSON.stringify(this.#boards) !== JSON.stringify(boards))
      await this.#publish(eventOf('boards'));
    this.#boards = boards;
  }

  async #publish(text: string): Promise<void> {
    let count = 0;
    for (const send of this.#subscribers) {
      send(text);
      count += 1;
      if (count % sentPerTurn === 0) await turn();
    }
  }
}

/** An id is all that has a browser say that it comes back. */
const eventOf = (kind: 'servers' | 'boards' | 'people', data = '{}'): string =>
  `id: 1\nevent: ${kind}\ndata: ${data}\n\n`;
