import type { Environment } from '../../config/environment.ts';
import type { Files } from '../../server/files/file-port.ts';
import type { RemotePlaces } from '../../server/files/remote/remote-places.ts';
import type { HostTrust } from '../../server/files/remote/host-trust.ts';
import type { Machine } from './find/usual-folders.ts';
import type { Prompts } from './prompts.ts';
import type { InitOptions } from './options.ts';

/** Servers of a config. */
export interface KnownServers {
  /** Folders of logs on this machine. */
  logs: ReadonlySet<string>;
  /** Numbers of services at Nitrado. */
  services: ReadonlySet<string>;
}

/** What the steps of a setup share. */
export interface Context {
  options: InitOptions;
  environment: Environment;
  /** Null: there is no terminal to ask questions on. */
  prompts: Prompts | null;
  /** Shows what was found or done. */
  report: (text: string) => void;
  warn: (text: string) => void;
  machine: Machine;
  /** The files of this machine. */
  local: Files;
  remote: RemotePlaces;
  trust: HostTrust;
  /** For how long a log is watched, to see by which clock it is written. */
  watchMs: number;
  /** What the config has already. */
  known: KnownServers;
}
