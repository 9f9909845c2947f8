import type { BanFormat } from 'dayz-files';
import type { Place } from 'game-files';
import { usualGameType } from '../../games/table.ts';
import { banSource } from '../../store/repositories/bans/ban-sources.ts';
import { placedFile } from '../../store/repositories/projects/placed-file.ts';

export type SourceKind = 'logs' | 'playersDb' | 'messages' | 'bans';

/** What identifies a source, whatever its settings are. */
export interface Source {
  kind: SourceKind;
  /** Of the server or ban list. */
  id: string;
  /** As the store has it: that of a ban file at a host starts with the server's id (`placedFile`). */
  path: string;
}

interface FileOfConfig extends Source {
  /** Its path where it lies. */
  file: string;
  /** Where it lies; undefined: on this machine. */
  place: Place | undefined;
  /** Which one it is of the server's schedules or the list's files. */
  index: number;
}

/** A file of a server, or its folder of logs. */
export interface ServerFile extends FileOfConfig {
  kind: 'logs' | 'playersDb' | 'messages';
  /** GameDig's type. */
  game: string;
}

/** A ban file of the config. */
interface BanSource {
  file: string;
  format: BanFormat;
  /** The server on whose host the file is; absent: this machine. */
  filesOf?: string | undefined;
}

/** What the column `ban.source` says of bans that come from a file of the config. */
export const storedBanSource = ({ format, file, filesOf }: BanSource): string =>
  banSource('config', format, file, filesOf);

/** A ban list of the config. */
export interface BanListSources {
  id: string;
  sources: readonly BanSource[];
}

export interface BanListFile extends FileOfConfig, BanSource {
  kind: 'bans';
}

/** What the config has to be read repeatedly. */
export interface Sources {
  files: readonly (ServerFile | BanListFile)[];
  /** The bans of files that the config no longer names for a list are lifted. */
  banlists: readonly BanListSources[];
}

interface ServerConfig {
  id: string;
  active: boolean;
  /** Left out: the first game of the table. */
  game?: string | undefined;
  logs?: string | undefined;
  playersDb?: string | undefined;
  schedules?: readonly { source?: string | undefined; file?: string; active: boolean }[];
  /** Where its files lie. */
  files?: Place | undefined;
}

interface SourcesConfig {
  projects: readonly {
    servers: readonly ServerConfig[];
    banlists: readonly (BanListSources & { active: boolean })[];
  }[];
}

/** The sources of active servers and ban lists. */
export function activeSources({ projects }: SourcesConfig): Sources {
  const servers = projects.flatMap((project) => project.servers);
  const banlists = projects.flatMap((project) => project.banlists.filter(({ active }) => active));
  const places = new Map(servers.map(({ id, files }) => [id, files]));
  return {
    files: [
      ...servers.filter(({ active }) => active).flatMap(filesOfServer),
      ...banlists.flatMap((list) => filesOfList(list, places)),
    ],
    banlists,
  };
}

function filesOfServer(server: ServerConfig): ServerFile[] {
  const { id, game = usualGameType, logs, playersDb, schedules = [], files: place } = server;
  const listOf = (kind: ServerFile['kind'], file: string | undefined, index = 0): ServerFile[] =>
    file === undefined ? [] : [{ kind, id, path: file, file, place, index, game }];
  return [
    ...listOf('logs', logs),
    ...listOf('playersDb', playersDb),
    ...schedules.flatMap(({ source, file, active }, index) =>
      source === 'messages.xml' && active ? listOf('messages', file, index) : [],
    ),
  ];
}

function filesOfList(
  { id, sources }: BanListSources,
  places: ReadonlyMap<string, Place | undefined>,
): BanListFile[] {
  return sources.map(({ file, format, filesOf }, index) => ({
    kind: 'bans',
    id,
    path: placedFile(file, filesOf),
    file,
    place: filesOf === undefined ? undefined : places.get(filesOf),
    index,
    format,
    filesOf,
  }));
}
