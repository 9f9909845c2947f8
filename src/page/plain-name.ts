import type { Server } from '../api/resources.ts';
import { plain } from '../embeds/text.ts';

/** A server's name for a place without markdown, never empty: its id replaces a name without visible characters. */
export function plainName(server: Pick<Server, 'id' | 'name'>, max = 60): string {
  return plain(server.name, max) || plain(server.id, max) || '?';
}
