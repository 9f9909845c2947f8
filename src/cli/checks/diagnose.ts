import type { Environment } from '../../config/environment.ts';
import { ConfigError } from '../../config/error.ts';
import { readEnvironment } from '../../config/load.ts';
import { StoreError } from '../../server/store/engine/error.ts';
import type { ReadStore } from '../open-store.ts';
import { about, inTwo, type Finding } from './finding.ts';
import { readInstalled, thisMachine, type Installation, type Machine } from './installation.ts';
import { once } from './once.ts';
import type { Group, GroupedFinding, Row } from './row.ts';
import { runRows } from './run-rows.ts';
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

/** Longer than a login at a slow host and its requests. */
const defaultTimeoutMs = 30_000;

/** Checks an installation. Never rejects and changes nothing. */
export async function diagnose(options: DiagnoseOptions = {}): Promise<GroupedFinding[]> {
  const { machine = thisMachine, isOffline = false, timeoutMs = defaultTimeoutMs, onEnd } = options;
  const run = async (rows: readonly Row[]): Promise<GroupedFinding[]> =>
    await runRows(isOffline ? rows.filter(({ offline }) => offline) : rows, { timeoutMs, onEnd });
  const rows = programRows(machine);
  const found = attempt(readEnvironment);
  if ('mistakes' in found) return await run([...rows, known('program', found.mistakes)]);
  const environment = { ...found.value, ...(options.configFile && { configFile: options.configFile }) };
  rows.push(...environmentRows(environment, machine));
  const installed = attempt(() => readInstalled(environment));
  if ('mistakes' in installed) return await run([...rows, known('config', installed.mistakes)]);
  const read = readerOf(environment);
  const holder = once(async () => await holderOf(environment.dataFolder, machine));
  const one: Installation = { ...installed.value, environment, machine, isOffline, read, holder };
  rows.push(...botRows(one));
  const { config } = one;
  if (config === null) return await run(rows);
  const [{ activeSources }, { hostsOfStore }, { withSourceFiles }] = await Promise.all([
    import('../../server/ingest/follower/sources.ts'),
    import('../known-hosts.ts'),
    import('../source-files.ts'),
  ]);
  const knownHosts = hostsOfStore(read);
  return await withSourceFiles(
    activeSources(config),
    knownHosts,
    async (files) => await run([...configRows(config, one, { files, knownHosts }), ...rows]),
  );
}

/** Reads the store; a file that cannot be read has a check of its own. */
function readerOf(environment: Environment): ReadStore {
  return async (work, otherwise) => {
    const { storeReader } = await import('../open-store.ts');
    try {
      return await storeReader(environment)(work, otherwise);
    } catch (error) {
      if (environment.storeUrl === undefined && error instanceof StoreError) return otherwise;
      throw error;
    }
  };
}

/** Null also where this user may not ask: the check of the data folder says so. */
async function holderOf(folder: string, { findHolder }: Machine): ReturnType<Installation['holder']> {
  try {
    return findHolder(folder);
  } catch (error) {
    if (error instanceof StoreError) return null;
    throw error;
  }
}

type Attempt<T> = { value: T } | { mistakes: Finding[] };

function attempt<T>(read: () => T): Attempt<T> {
  try {
    return { value: read() };
  } catch (error) {
    return { mistakes: mistakesOf(error instanceof ConfigError ? error : new ConfigError(String(error))) };
  }
}

/** Each mistake with its line. */
function mistakesOf({ message, mistakes }: ConfigError): Finding[] {
  if (mistakes.length === 0)
    return [
      about('config', 'reading')('config.unreadable', inTwo(message, 'correct it, then run the check again')),
    ];
  return mistakes.map(({ file, line, key, message: mistake }) =>
    about(key === '' ? 'config' : key, `${file}, line ${line}`)('config.mistake', { message: mistake }),
  );
}

const known = (group: Group, findings: readonly Finding[]): Row => ({
  group,
  subject: 'reading',
  offline: true,
  run: async () => findings,
});
