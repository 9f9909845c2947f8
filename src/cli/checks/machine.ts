import { existsSync } from 'node:fs';
import { dotEnvFile } from '../../config/load.ts';
import { machineZone } from '../time-zones.ts';
import { inspectDataFolder, type DataInspection } from './data/data-process.ts';
import type { DataPlace } from './data/data-process-main.ts';

/** What the checks take from this machine; replaced in tests. */
export interface Machine {
  /** `20.19.0` */
  node: string;
  platform: NodeJS.Platform;
  /** Outpost runs in a container of Docker or Podman. */
  isContainer: boolean;
  /** IANA. */
  zone: string;
  now: () => number;
  /** Path of `.env`. */
  dotEnvFile: string;
  inspectDataFolder: (place: DataPlace, timeoutMs: number) => DataInspection;
}

export const thisMachine: Machine = {
  node: process.versions.node,
  platform: process.platform,
  // Docker makes the one, Podman the other.
  isContainer: ['/.dockerenv', '/run/.containerenv'].some((file) => existsSync(file)),
  zone: machineZone(),
  now: Date.now,
  dotEnvFile,
  inspectDataFolder,
};
