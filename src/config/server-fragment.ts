import { Document, isMap, isSeq } from 'yaml';

/** A server as a fragment of the config shows it. */
export interface FragmentServer {
  id: string;
  name: string;
  game: string;
  host: string;
  port: number;
  queryPort?: number | undefined;
}

/**
 * A fragment of the config file with servers of a project, for an owner to paste.
 * @param heading lines above it; `notes`: a line above each server. They become comments
 */
export function serverFragment(
  servers: readonly { server: FragmentServer; note: string }[],
  heading: readonly string[],
): string {
  const document = new Document({ servers: servers.map(({ server }) => server) });
  document.commentBefore = heading.map((line) => ` ${line}`).join('\n');
  const list = document.get('servers');
  if (isSeq(list)) {
    for (const [index, item] of list.items.entries()) {
      if (isMap(item)) item.commentBefore = ` ${servers[index]?.note ?? ''}`;
    }
  }
  return document.toString({ lineWidth: 0 }).trimEnd();
}
