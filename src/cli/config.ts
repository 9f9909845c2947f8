import { readEnvironment } from '../config/load.ts';
import { serverFragment, type FragmentServer } from '../config/server-fragment.ts';
import { listAddedServers, type AddedServer } from '../server/store/repositories/projects/added-servers.ts';
import { withStore } from './open-store.ts';
import { type Output, printResult, type JsonOption } from './output.ts';
import { readConfig } from './read-config.ts';

export async function exportServers(output: Output, options: JsonOption): Promise<void> {
  const environment = readEnvironment();
  const added = await withStore(environment, listAddedServers);
  const slugs = [...new Set(added.map(({ projectSlug }) => projectSlug))];
  const fileOf = projectFilesBySlug(environment.configFile);
  const ofProject = (slug: string) => added.filter(({ projectSlug }) => projectSlug === slug);
  const result = { projects: slugs.map((slug) => ({ slug, servers: ofProject(slug).map(configOf) })) };
  const text =
    added.length === 0
      ? '# Members have added no servers in Discord.'
      : slugs.map((slug) => fragment(slug, ofProject(slug), fileOf(slug))).join('\n---\n');
  printResult(output, options, result, text);
}

function configOf({ id, name, game, host, port, queryPort }: AddedServer): FragmentServer {
  return { id, name, game, host, port, ...(queryPort !== null && { queryPort }) };
}

/** The file that has a project; null: the config file, or it cannot be read. */
function projectFilesBySlug(configFile: string): (slug: string) => string | null {
  try {
    const { projects } = readConfig(configFile);
    return (slug) => projects.find((project) => project.slug === slug)?.file ?? null;
  } catch {
    // The servers are printed whatever state the config is in.
    return () => null;
  }
}

function fragment(slug: string, servers: readonly AddedServer[], file: string | null): string {
  return serverFragment(
    servers.map((server) => ({
      server: configOf(server),
      note: `added by member ${server.addedBy} on ${new Date(server.addedAt).toISOString().slice(0, 10)}`,
    })),
    [
      `Servers that members added in Discord to the project ${slug}.`,
      `Move them to "servers" of this project in ${file ?? 'the config'} and keep their ids, then restart Outpost or send it SIGHUP.`,
      'From then on they belong to the config, with their history.',
    ],
  );
}
