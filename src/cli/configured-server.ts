import { serverOf } from '../config/config-index.ts';
import { readConfig, readEnvironment } from '../config/load.ts';
import type { ServerConfig } from '../config/schema.ts';
import { CommandFailure } from './output.ts';

/** A server of the config. @throws CommandFailure where the config has none with the id */
export function configuredServer(id: string): ServerConfig {
  const config = readConfig(readEnvironment().configFile);
  const found = serverOf(config, id);
  if (found !== undefined) return found.server;
  const ids = config.projects.flatMap(({ servers }) => servers.map((server) => server.id)).join(', ');
  const next =
    ids === '' ? 'it has none yet (docs/configuration.md says how to add one)' : `expected one of ${ids}`;
  throw new CommandFailure(`there is no server ${JSON.stringify(id)} in the config: ${next}`);
}
