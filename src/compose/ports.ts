import { planIncludes } from '../api/access.ts';
import { operations } from '../api/operations.ts';
import type { Ports } from '../commands/ports.ts';
import type { Config, ProjectConfig, ServerConfig } from '../config/schema.ts';
import type { JoinTarget } from '../server/http/join.ts';
import type { LatestResults } from '../server/live/latest-results.ts';
import type { ReadDatabase } from '../server/store/database.ts';
import { findLastAnswer } from '../server/store/history.ts';
import { listSchedulesOf } from '../server/store/servers.ts';

/** Older results say nothing of now. */
const freshMs = 5 * 60_000;

/** The project whose data the bot shows. */
export function projectOfBot({ discord, projects }: Config): ProjectConfig | undefined {
  return projects.find(({ slug }) => discord?.project === undefined || slug === discord.project);
}

/** A server that members may know of: active, of a project that is not suspended. */
function findServer(config: Config, serverId: string): ServerConfig | null {
  const projects = config.projects.filter((project) => !project.suspended);
  const server = projects.flatMap((project) => project.servers).find(({ id }) => id === serverId);
  return server?.active ? server : null;
}

/** Where players enter a server; null when nobody is to be led there. */
export function joinTarget(config: Config, serverId: string): JoinTarget | null {
  if (config.http.publicUrl === undefined) return null;
  const server = findServer(config, serverId);
  if (server === null) return null;
  if (server.joinAddress === undefined) return { host: server.host, port: server.port };
  const [, bracketed, plain, port] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(server.joinAddress) ?? [];
  return { host: bracketed ?? plain ?? server.host, port: port === undefined ? server.port : Number(port) };
}

/** What the embedded service's bot knows besides the contract. The config is asked each time: it may change. */
export function createPorts(
  config: () => Config,
  results: LatestResults,
  db: ReadDatabase['db'],
): Pick<Ports, 'live' | 'joinUrl' | 'joinAddress' | 'schedules' | 'lastAnswerAt'> {
  return {
    async schedules(serverIds) {
      const project = projectOfBot(config());
      const isOpen =
        project && !project.suspended && planIncludes(project.plan, operations.listSchedules.plan);
      const own = new Set(project?.servers.filter(({ active }) => active).map(({ id }) => id));
      const ids = isOpen ? serverIds.filter((id) => own.has(id)) : [];
      return ids.length === 0 ? new Map() : await listSchedulesOf(db, ids);
    },
    live(serverId) {
      const server = findServer(config(), serverId);
      if (server === null) return null;
      const { game, host, port, queryPort = null } = server;
      const result = results.of({ game, host, port, queryPort }, freshMs);
      if (result === null) return null;
      return { queue: result.queue, sessions: result.listed, observedAt: result.observedAt };
    },
    async lastAnswerAt(serverId) {
      const server = findServer(config(), serverId);
      if (server === null) return null;
      const { game, host, port, queryPort = null } = server;
      return results.lastAnswerAt({ game, host, port, queryPort }) ?? (await findLastAnswer(db, serverId));
    },
    joinAddress(serverId) {
      // Never host and port: they are where this machine reaches the server, which the owner may want nobody to know.
      const { publicUrl } = config().http;
      const server = publicUrl === undefined ? findServer(config(), serverId) : null;
      if (server?.joinAddress === undefined) return null;
      return /:\d+$/.test(server.joinAddress) ? server.joinAddress : `${server.joinAddress}:${server.port}`;
    },
    joinUrl(serverId) {
      const { publicUrl } = config().http;
      if (publicUrl === undefined || joinTarget(config(), serverId) === null) return null;
      const base = publicUrl.endsWith('/') ? publicUrl : `${publicUrl}/`;
      return new URL(`join/${encodeURIComponent(serverId)}`, base).href;
    },
  };
}
