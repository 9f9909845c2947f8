import type { NewPlacement } from '../../commands/interfaces/placements.ts';

export interface StoredPlacement extends NewPlacement {
  id: string;
}

/** What members placed, in all guilds, is one value: placements are few and always used together. */
export const placementsKey = 'placements';

/** The placements after a server of the config got another id. @returns the same list where none is about that server */
export function withRenamedServer(
  placements: readonly StoredPlacement[],
  from: string,
  to: string,
): readonly StoredPlacement[] {
  const isAbout = ({ content }: StoredPlacement): boolean =>
    'servers' in content && content.servers.includes(from);
  if (!placements.some(isAbout)) return placements;
  return placements.map((placement) => {
    const { content } = placement;
    if (!('servers' in content)) return placement;
    const servers = new Set(content.servers.map((id) => (id === from ? to : id)));
    return { ...placement, content: { ...content, servers: [...servers] } };
  });
}
