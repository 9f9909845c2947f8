import { existsSync } from 'node:fs';
import type { Files, KnownHosts, LocalFiles, Place, RemotePlaces } from 'game-files';
import type { Environment } from '../../config/environment.ts';
import { dotEnvFile, readBotConfig, readConfig } from '../../config/load.ts';
import { botConfigSchema, type Config, type DiscordConfig } from '../../config/schema.ts';
import { isGameType } from '../../server/live/game-types.ts';
import { freeBytes } from '../../server/store/engine/disk-space.ts';
import { findHolder, type Holder } from '../../server/store/engine/folder-lock.ts';
import type { ReadStore } from '../open-store.ts';

/** What the checks take from this machine; replaced in tests. */
export interface Machine {
  platform: NodeJS.Platform;
  /** Outpost runs in a container of Docker or Podman. */
  isContainer: boolean;
  dotEnvFile: string;
  freeBytes: typeof freeBytes;
  findHolder: typeof findHolder;
}

export const thisMachine: Machine = {
  platform: process.platform,
  // Docker makes the one, Podman the other.
  isContainer: ['/.dockerenv', '/run/.containerenv'].some((file) => existsSync(file)),
  dotEnvFile,
  freeBytes,
  findHolder,
};

/** How to get at the files of servers. */
export interface Access {
  /** None of its files can block a check forever. */
  local: LocalFiles;
  remote: RemotePlaces;
  knownHosts: KnownHosts;
}

/** @param place undefined: this machine */
export const filesAt = ({ local, remote }: Access, place: Place | undefined): Files =>
  place === undefined ? local : remote.at(place);

/** What the checks ask: an installation whose config is valid. */
export interface Installation {
  environment: Environment;
  machine: Machine;
  /** Null: a process that is only a bot, on a service elsewhere. */
  config: Config | null;
  /** Undefined: the config has no such section. */
  discord: DiscordConfig | undefined;
  /** Reads the store. One that cannot be read is reported by a check of its own. */
  read: ReadStore;
  /** The service that runs on the data folder; null: none, or the folder cannot be read. */
  holder: Holder | 'unknown' | null;
  access: Access;
}

/** @throws ConfigError with each mistake */
export function readInstalled(environment: Environment): Pick<Installation, 'config' | 'discord'> {
  const { remoteService, configFile } = environment;
  if (remoteService === null) {
    const config = readConfig(configFile, isGameType);
    return { config, discord: config.discord };
  }
  const { discord } = readBotConfig(configFile) ?? botConfigSchema.parse({});
  return { config: null, discord };
}
