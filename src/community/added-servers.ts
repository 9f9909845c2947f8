import type { Logger } from 'pino';
import type { Config, ServerConfig } from '../config/schema.ts';
import { server as serverSchema } from '../config/schema/server.ts';
import type { AddedServer } from '../server/store/repositories/projects/added-servers.ts';

/** A config with the servers that members added after its own. */
export function withAddedServers(config: Config, added: readonly AddedServer[]): Config {
  if (added.length === 0) return config;
  const bySlug = new Map<string, ServerConfig[]>();
  for (const server of added) {
    bySlug.set(server.projectSlug, [...(bySlug.get(server.projectSlug) ?? []), configOf(server)]);
  }
  return {
    ...config,
    projects: config.projects.map((project) => {
      const more = bySlug.get(project.slug);
      return more === undefined ? project : { ...project, servers: [...project.servers, ...more] };
    }),
  };
}

/** What the config says of a server where it says nothing. */
const defaults = serverSchema.parse({ id: 'x', name: 'x', host: 'x', port: 1 });

function configOf({ id, name, game, host, port, queryPort }: AddedServer): ServerConfig {
  return { ...defaults, id, name, game, host, port, ...(queryPort !== null && { queryPort }) };
}

/** Logs the servers that moved from Discord into the config. */
export function logMovedToConfig(taken: readonly AddedServer[], config: Config, log: Logger): void {
  const configured = config.projects.flatMap(({ servers }) => servers);
  for (const { id, host, port, addedBy } of taken) {
    const own = configured.find((server) => server.id === id);
    const member = { server: id, addedBy };
    if (own === undefined || (own.host === host && own.port === port)) {
      log.info(
        member,
        `server ${id}, which a member added in Discord, is in the config now and belongs to it`,
      );
    } else {
      log.warn(
        member,
        `server ${id} of the config replaces one with the same id that a member added in Discord: ` +
          `its address is ${own.host}:${own.port} now, no longer ${host}:${port}. ` +
          'If both are meant, choose another id in the config and add the other one in Discord again',
      );
    }
  }
}
