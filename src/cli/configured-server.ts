import { readConfig, readEnvironment } from '../config/load.ts';
import type { ServerConfig } from '../config/schema.ts';
import { CommandFailure } from './output.ts';

/** A server of the config. @throws CommandFailure where the config has none with the id */
export function configuredServer(id: string): ServerConfig {
  const { projects } = readConfig(readEnvironment().configFile);
  const servers = projects.flatMap((project) => project.servers);
  const server = servers.find((one) => one.id === id);
  if (server !== undefined) return server;
  const ids = servers.map((one) => one.id).join(', ');
  const next =
    ids === '' ? 'it has none yet (docs/configuration.md says how to add one)' : `expected one of ${ids}`;
  throw new CommandFailure(`there is no server ${JSON.stringify(id)} in the config: ${next}`);
}
