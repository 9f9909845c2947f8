import type { Environment } from '../../config/environment.ts';
import { readBotConfig } from '../../config/load.ts';
import { botConfigSchema, type Config, type DiscordConfig } from '../../config/schema.ts';
import type { ReadStore } from '../open-store.ts';
import { count } from '../output.ts';
import { readConfig } from '../read-config.ts';
import type { FolderHolder } from './data/data-process.ts';
import type { Machine } from './machine.ts';

/** The config of an installation. */
export interface Installed {
  /** Null: a process that is only a bot, on a service elsewhere. */
  config: Config | null;
  /** Undefined: the config has no such section. */
  discord: DiscordConfig | undefined;
}

/** What checks ask. */
export interface Installation extends Installed {
  /** Which command asks. */
  command: 'doctor' | 'check-config';
  environment: Environment;
  machine: Machine;
  /** Reads the store. For `check-config` it throws where the store cannot be read. */
  read: ReadStore;
  /** `check-config` does not ask for it. */
  holder: Promise<FolderHolder>;
}

/** @throws ConfigError with each mistake */
export function readInstalled({ remoteService }: Environment, configFile: string): Installed {
  if (remoteService === null) {
    const config = readConfig(configFile);
    return { config, discord: config.discord };
  }
  const { discord } = readBotConfig(configFile) ?? botConfigSchema.parse({});
  return { config: null, discord };
}

/** `1 project, 2 servers, 1 ban list` */
export function sizeOf({ projects }: Config): string {
  return [
    count(projects.length, 'project'),
    count(projects.flatMap(({ servers }) => servers).length, 'server'),
    count(projects.flatMap(({ banlists }) => banlists).length, 'ban list'),
  ].join(', ');
}
