import type { FilePort, KnownHosts, NitradoAccount, Place, RemotePlaces, RentedServer } from 'game-files';
import type { Setup, SetupApplication, SetupChannel, SetupGuild } from '../../bot/setup.ts';
import type { Environment } from '../../config/environment.ts';
import type { FoundBanFile, FoundServer, Game } from '../../server/games/game.ts';
import type { ServerState } from '../../server/store/repositories/projects/servers.ts';
import type { GameAddress, LoginAddress } from './address.ts';
import type { InitOptions } from './options.ts';
import type { Prompts } from './prompts.ts';

/** What the questions have found out so far. Holds secrets. */
export interface Answers {
  place: 'folder' | 'login' | 'nitrado' | 'address' | 'none';
  login: LoginAddress;
  /** Null: the login is by password. */
  key: { file: string; text: string; needsPassphrase: boolean } | null;
  secret: LoginSecret;
  host: Host;
  account: { account: NitradoAccount; rented: RentedServer[] };
  /** One for each folder. */
  found: FoundServers[];
  /** Where players connect; null: where the files are. */
  address: GameAddress | null;
  /** Null: as the server's own config says, else one of the usual ones. */
  queryPort: number | null;
  /** Of the community; null: it is named after the Discord server or the game servers. */
  name: string | null;
  servers: PlannedServer[];
  /** Of the machine that writes the logs. */
  timezone: { zone: string; basis: string; isGuess?: true };
  /** Null: no bot is set up. */
  bot: Bot | null;
  /** Those that the bot is in. */
  guilds: SetupGuild[];
  /** Null: the bot is in none, or in several of which none was named. */
  guild: SetupGuild | null;
  /** For the status post; null: none. */
  post: { guild: SetupGuild | null; channel: SetupChannel | null };
}

interface Bot {
  setup: Setup;
  application: SetupApplication;
  /** Null: it stands in the environment or `.env` already. */
  newToken: string | null;
}

/** What the questions work with. */
export interface World {
  options: InitOptions;
  environment: Environment;
  /** Null: there is no terminal to ask on. */
  prompts: Prompts | null;
  remote: RemotePlaces;
  knownHosts: KnownHosts;
  /** The home folder of the user. */
  home: string;
  /** Shows what was found or done. */
  report: (text: string) => void;
  warn: (text: string) => void;
}

/** A place that is reached with a user name and a password or a key. */
export type HostPlace = Extract<Place, { host: string; username: string }>;

export type LoginSecret =
  | { password: string }
  /** The config names the file of the key, so that the key stays there. */
  | { keyFile: string; privateKey: string; passphrase?: string };

/** A host that let the user in. */
export interface Host {
  place: HostPlace;
  files: FilePort;
  keyFile: string | null;
}

/** A server that was found, and its game. */
export type FoundGameServer = FoundServer & { game: Game };

/** Servers in a folder, and how the folder is reached. */
export interface FoundServers {
  servers: FoundGameServer[];
  files: FilePort;
  /** Null: on this machine. */
  place: Place | null;
  /** The file with the private key of the place; null: it takes none. */
  keyFile: string | null;
  /** Where the servers may answer queries, likely first. */
  hosts: readonly string[];
  /** How its host says that the only server is; left out: they answer queries themselves. */
  state?: ServerState;
  /** What the owner still has to do, as sentences. */
  missing?: readonly string[];
}

/** What the config says about a server, and what is still missing. Holds secrets. */
export interface PlannedServer {
  game: Game;
  name: string;
  /** False: the name is made of the address. */
  isNamed: boolean;
  host: string;
  port: number;
  /** Null: it answers no query. */
  queryPort: number | null;
  /** Where its files lie; null: on this machine. */
  place: Place | null;
  /** The file with the private key of the place; null: it takes none. */
  keyFile: string | null;
  /** Null: there are none. Paths on this machine are absolute. */
  logs: string | null;
  playersDb: string | null;
  /** Null: there is none, or it announces no restart. */
  messagesFile: string | null;
  banFiles: readonly FoundBanFile[];
  /** What the owner still has to do, as sentences. */
  missing: string[];
}
