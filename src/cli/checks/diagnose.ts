import { LocalFiles, RemotePlaces } from 'game-files';
import type { Environment } from '../../config/environment.ts';
import { ConfigError } from '../../config/error.ts';
import { readEnvironment } from '../../config/load.ts';
import { hostsOfStore } from '../known-hosts.ts';
import { limits } from '../limits.ts';
import { storeReader } from '../open-store.ts';
import { about, inTwo, type Findings } from './finding.ts';
import { type Installation, type Machine, readInstalled, thisMachine } from './installation.ts';
import { type Group, type GroupedFinding, type Row, runRows } from './run-rows.ts';
import { botRows, configRows, environmentRows, programRows } from './table.ts';

export interface DiagnoseOptions {
  /** Instead of the one that the environment names. */
  configFile?: string | undefined;
  /** Nobody but this machine's disks is asked. */
  isOffline?: boolean;
  machine?: Machine;
  /** A check that takes longer is given up, and reported. */
  timeoutMs?: number;
  onEnd?: ((done: number, total: number) => void) | undefined;
}

/** Checks an installation. Never rejects and changes nothing. */
export async function diagnose(options: DiagnoseOptions = {}): Promise<GroupedFinding[]> {
  const { machine = thisMachine, isOffline = false, timeoutMs = limits.checkMs, onEnd } = options;
  const run = async (rows: readonly Row[]): Promise<GroupedFinding[]> =>
    await runRows(isOffline ? rows.filter(({ offline }) => offline) : rows, timeoutMs, onEnd);
  const rows = programRows(machine);
  let environment: Environment;
  let installed: Pick<Installation, 'config' | 'discord'>;
  try {
    environment = { ...readEnvironment(), ...(options.configFile && { configFile: options.configFile }) };
  } catch (error) {
    return await run([...rows, mistakes('program', error)]);
  }
  rows.push(...environmentRows(environment, machine));
  try {
    installed = readInstalled(environment);
  } catch (error) {
    return await run([...rows, mistakes('config', error)]);
  }
  const read = storeReader(environment);
  const holder = holderOf(environment.dataFolder, machine);
  const knownHosts = hostsOfStore(read);
  const local = new LocalFiles({ deadlineMs: limits.localFileMs });
  const remote = new RemotePlaces({ knownHosts });
  const access = { local, remote, knownHosts };
  const one: Installation = { ...installed, environment, machine, read, holder, access };
  try {
    return await run([...configRows(one), ...rows, ...botRows(one)]);
  } finally {
    local.close();
    await remote.close();
  }
}

/** Null also where this user may not ask: the check of the data folder says so. */
function holderOf(folder: string, { findHolder }: Machine): Installation['holder'] {
  try {
    return findHolder(folder);
  } catch {
    return null;
  }
}

/** Why the environment or the config cannot be read: each mistake with its line. */
const mistakes = (group: Group, error: unknown): Row => ({
  group,
  subject: 'reading',
  offline: true,
  run: async () => mistakesOf(error instanceof ConfigError ? error : new ConfigError(String(error))),
});

function mistakesOf({ message, mistakes }: ConfigError): Findings {
  if (mistakes.length === 0)
    return about('config', 'reading').wrong(...inTwo(message, 'correct it, then run the check again'));
  return mistakes.map(({ file, line, key, message: mistake }) =>
    about(key === '' ? 'config' : key, `${file}, line ${line}`).wrong(
      mistake,
      'correct the line, then run the check again',
    ),
  );
}
