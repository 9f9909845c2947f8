import type { Ports } from '../commands/ports.ts';
import type { Config, ServerConfig } from '../config-schema.ts';
import type { JoinTarget } from '../server/http/join.ts';
import type { LatestReadings } from '../server/live/latest-readings.ts';

/** Older readings say nothing of now. */
const freshMs = 5 * 60_000;

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
  readings: LatestReadings,
  now: () => number,
): Pick<Ports, 'live' | 'joinUrl'> {
  return {
    live(serverId) {
      const server = findServer(config(), serverId);
      if (server === null) return null;
      const { game, host, port, queryPort = null } = server;
      const reading = readings.of({ game, host, port, queryPort });
      if (reading === null || now() - reading.observedAt > freshMs) return null;
      return { queue: reading.queue, sessions: reading.listed, observedAt: reading.observedAt };
    },
    joinUrl(serverId) {
      const { publicUrl } = config().http;
      if (publicUrl === undefined || joinTarget(config(), serverId) === null) return null;
      const base = publicUrl.endsWith('/') ? publicUrl : `${publicUrl}/`;
      return new URL(`join/${encodeURIComponent(serverId)}`, base).href;
    },
  };
}
