import type { FilePort, KnownHosts, NitradoAccount, Place, RemotePlaces, RentedServer } from 'game-files';
import type { Setup, SetupApplication, SetupChannel, SetupGuild } from '../../bot/setup.ts';
import type { Environment } from '../../config/environment.ts';
import type { ServerState } from '../../server/store/repositories/projects/servers.ts';
import type { FoundServer } from '../dayz/find-servers.ts';
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
  /** Of the community; null: it is named after the Discord server or the game server. */
  name: string | null;
  servers: PlannedServer[];
  /** Of the machine that writes the logs. */
  timezone: { zone: string; isGuess: boolean };
  /** Null: no bot is set up. */
  bot: Bot | null;
  /** Those that the bot is in. */
  guilds: SetupGuild[];
  /** Null: the bot is in none, or in several of which none was named. */
  guild: SetupGuild | null;
  /** For the status post; null: none. */
  post: { guild: SetupGuild | null; channel: SetupChannel | null };
}

export type Known = Partial<Answers>;

interface Bot {
  setup: Setup;
  application: SetupApplication;
  /** Null: the environment or `.env` has it already. */
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

/** Servers in a folder, and how the folder is reached. */
export interface FoundServers {
  servers: FoundServer[];
  files: FilePort;
  /** Null: on this machine. */
  place: Place | null;
  /** The file with the private key of the place; null: it takes none. */
  keyFile: string | null;
  /** Where the servers may answer queries, likely first. */
  hosts: readonly string[];
  /** How its host says that the only server is; left out: they answer queries themselves. */
  state?: ServerState;
}

/** What the config says about a server. Paths on this machine are absolute. Holds secrets. */
export interface PlannedServer
  extends
    Pick<FoundServer, 'name' | 'isNamed' | 'logs' | 'playersDb' | 'messagesFile' | 'banFiles'>,
    Pick<FoundServers, 'place' | 'keyFile'> {
  host: string;
  port: number;
  /** Null: it answers no query. */
  queryPort: number | null;
}
