import type { FoundServer, Game, RunningServer, SearchedFolder } from '../../../server/games/game.ts';
import { games } from '../../../server/games/index.ts';
import type { Search } from '../../../server/games/search.ts';

/** A server that was found, and its game. */
export type FoundGameServer = FoundServer & { game: Game };

interface Options extends Omit<SearchedFolder, 'running'> {
  running?: readonly RunningServer[];
  /** The games whose servers may be there; default: all. */
  of?: readonly Game[];
}

/** The servers of all games in a folder. */
export async function serversIn(
  search: Search,
  root: string,
  { running = [], of = games, ...folder }: Options = {},
): Promise<{ servers: FoundGameServer[]; logFolders: string[] }> {
  const servers: FoundGameServer[] = [];
  const logFolders: string[] = [];
  for (const game of of) {
    const own = running.filter((one) => one.game === game.type);
    const found = await game.servers.find(search, root, { ...folder, running: own });
    servers.push(...found.servers.map((server) => ({ ...server, game })));
    logFolders.push(...found.logFolders);
  }
  return { servers, logFolders };
}

/** The log of a game that is counted: `admin log (.ADM)`. */
export const logName = ({ words, logs }: Game): string =>
  logs[0] === undefined ? words.log : `${words.log} (${logs[0].files})`;
