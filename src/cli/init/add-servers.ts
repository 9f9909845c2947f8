import { CommandFailure } from '../output.ts';
import {
  banlistName,
  banSources,
  commentServer,
  inOneLine,
  secretsInto,
  serverValues,
} from './config-text.ts';
import { checkChanged, type ExistingConfig } from './existing-config.ts';
import { displayName } from './names.ts';
import type { PlannedServer } from './plan.ts';
import { writeConfig, type WriteOptions, type WrittenSetup } from './write-plan.ts';
import { withEntry } from './yaml-list.ts';

/**
 * Adds servers to a config. Its comments and its order stay.
 * @param taken ids of other servers
 * @throws CommandFailure, and nothing is written
 */
export async function addServers(
  existing: ExistingConfig,
  servers: readonly PlannedServer[],
  taken: readonly string[],
  options: WriteOptions,
): Promise<WrittenSetup> {
  const { file, at, project } = existing;
  if (servers.length === 0)
    throw new CommandFailure('No other game server was found, so nothing was changed.');
  const { variable } = options;
  const secrets = new Map<string, string>();
  const secretOf = secretsInto(secrets, (name, secret) => (variable(name) ?? secret) === secret);
  const serverIds: string[] = [];
  let { text } = existing;
  for (const server of servers) {
    const id = freeId(project.slug, [...taken, ...serverIds]);
    const isFirst = project.servers.length + serverIds.length === 0;
    text = withEntry(text, [...at, 'servers'], serverValues(server, id, secretOf), (node) => {
      inOneLine(node);
      // As in a new config, the first one stands for all.
      if (isFirst) commentServer(node);
    });
    const sources = banSources(server, id);
    const list = {
      id: `${id}-bans`,
      name: banlistName(displayName(server.name, id)),
      servers: [id],
      sources,
    };
    if (sources.length > 0) text = withEntry(text, [...at, 'banlists'], list);
    serverIds.push(id);
  }
  // What the service would refuse must not be written.
  checkChanged(existing, text, (name) => secrets.get(name));
  const change = { text, before: existing.text, secrets };
  return { ...(await writeConfig(change, { ...options, configFile: file })), serverIds };
}

function freeId(slug: string, used: readonly string[]): string {
  for (let number = 1; ; number++) if (!used.includes(`${slug}-${number}`)) return `${slug}-${number}`;
}

/** What the owner has to know of the rest of the config. */
export function notesOf({ config, project }: ExistingConfig, serverIds: readonly string[]): string[] {
  const ids = serverIds.join(', ');
  const shared = project.banlists.filter(
    ({ servers, sources }) => servers === undefined && sources.some((source) => source.servers === undefined),
  );
  return [
    ...shared.map(
      ({ id }) =>
        `The ban list ${id} now counts for ${ids}, too: set "servers" of its sources to the server that each file belongs to.`,
    ),
    ...(config.discord === undefined
      ? []
      : [`To show ${ids} in Discord, use /outpost setup, or add it to a post under "discord".`]),
  ];
}
