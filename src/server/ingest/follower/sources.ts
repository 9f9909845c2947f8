import type { Place } from 'game-files';
import type { BanListFiles } from '../bans/removed-files.ts';

/** The sources in the config, which are read repeatedly. */
export interface Sources {
  servers: readonly SourceServer[];
  banlists: readonly BanListFiles[];
  /**
   * The remote hosts with the files of servers, by the server's id; servers without an entry have theirs on this
   * machine.
   */
  places?: ReadonlyMap<string, Place>;
}

interface SourceServer {
  id: string;
  /** GameDig's type; left out: that of the first game of the table. */
  game?: string | undefined;
  logs?: string | undefined;
  playersDb?: string | undefined;
  schedules?: readonly { source?: string | undefined; file?: string; active: boolean }[];
}

interface Project {
  servers: readonly (SourceServer & { active: boolean; files?: Place | undefined })[];
  banlists: readonly (Sources['banlists'][number] & { active: boolean })[];
}

export function activeSources({ projects }: { projects: readonly Project[] }): Sources {
  return {
    servers: projects.flatMap((project) => project.servers.filter((server) => server.active)),
    banlists: projects.flatMap((project) => project.banlists.filter((banlist) => banlist.active)),
    places: new Map(
      projects.flatMap((project) =>
        project.servers.flatMap(({ id, files }) => (files === undefined ? [] : [[id, files] as const])),
      ),
    ),
  };
}

/** The files from which a server's schedules come. */
export function messagesFilesOf({ schedules = [] }: Pick<SourceServer, 'schedules'>): string[] {
  return schedules.flatMap(({ source, file, active }) =>
    source === 'messages.xml' && file !== undefined && active ? [file] : [],
  );
}
