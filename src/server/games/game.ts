import type { HowKilled, LogFormat, NamedBlow } from 'dayz-files';
import type { FilePort } from 'game-files';
import type { GameFacts } from './facts.ts';
import type { Search } from './search.ts';

/** A game that Outpost knows: its row of `table.ts`, with its code. */
export type Game = GameFacts & GameCode;

/** What reads a game's files. The folder of a game exports it as `game`. */
export interface GameCode {
  /** Its logs, those that are counted first. */
  readonly logs: readonly LogFormat[];
  /**
   * Finds the servers in a folder and those below it, for `outpost init`.
   * @param isOneServers the folder is one server's, as at a host; else logs without a config may belong to several
   */
  findServers(search: Search, folder: string, isOneServers: boolean): Promise<FoundServers>;
  /** What names in its logs say about a kill; left out: nothing is known. */
  howKilled?(blow: NamedBlow): HowKilled;
  /**
   * Compares a server's own config file with that of Outpost, for the checks of the command line. Empty: there is no such file.
   * @param isAnswering whether the server answers the query
   */
  checkConfig(server: ComparedServer, port: FilePort, isAnswering: boolean): Promise<ConfigFinding[]>;
}

export interface FoundServers {
  servers: FoundServer[];
  /** The folders that hold logs. */
  logFolders: string[];
}

/** A game server and its files, as they were found. Null: there is none. */
export interface FoundServer {
  name: string;
  /** False: the name is made of that of the folder. */
  isNamed: boolean;
  /** The folder that was searched. */
  root: string;
  configFile: string | null;
  gamePort: number;
  queryPort: number | null;
  logs: string | null;
  playersDb: string | null;
  messagesFile: string | null;
  banFiles: FoundBanFile[];
  /** What in its folder this user may not read. */
  denied: string[];
  /** What its owner should change, as sentences. */
  advice: string[];
  /** What in its config file cannot be read. */
  problems: readonly { line: number; problem: string }[];
}

export interface FoundBanFile {
  file: string;
  /** As in the config. */
  format: string;
}

/** A server of Outpost's config. */
export interface ComparedServer {
  id: string;
  host: string;
  port: number;
  queryPort?: number | undefined;
  logs?: string | undefined;
  playersDb?: string | undefined;
}

export interface ConfigFinding {
  /** The key in Outpost's config: `northwood-1.queryPort`. */
  key: string;
  /** The server's config file. */
  tried: string;
  status: 'good' | 'warning';
  found: string;
  /** What to do about it. */
  next?: string;
}
