import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const isWindows = process.platform === 'win32';
const endsWithinMs = 120_000;

/** What a release's demo answered. */
export interface Tried {
  version: string;
  /** Status of the service's `/readyz`, of its documentation and of the local Discord's page. */
  statuses: number[];
  /** Exit code after SIGTERM; null on Windows, which has no such signal. */
  code: number | null;
}

/**
 * Unpacks an archive into an empty folder, whose name has a blank, and runs its demo from another one, with nothing of
 * this process's environment. @throws when the demo ends, or is not up within two minutes
 */
export async function tryArchive(archive: string): Promise<Tried> {
  const folder = mkdtempSync(join(tmpdir(), 'outpost release-'));
  const workplace = join(folder, 'workplace');
  mkdirSync(workplace);
  try {
    // The tar of Windows reads zip files.
    execFileSync('tar', ['-xf', archive, '-C', folder]);
    const unpacked = join(folder, basename(archive).replace(/\.(?:tar\.gz|zip)$/, ''));
    const launch = (...args: string[]): ChildProcess => launchIn(workplace, unpacked, args);
    const version = await outputOf(launch('--version'));
    const demo = launch('demo', '--json');
    const ended = once(demo, 'close') as Promise<[number | null]>;
    try {
      const { serviceUrl, pageUrl } = await factsOf(demo);
      const pages = [`${serviceUrl}/readyz`, `${serviceUrl}/docs/swagger-ui-bundle.js`, pageUrl];
      const statuses = await Promise.all(pages.map(async (page) => (await fetch(page)).status));
      stop(demo);
      const [code] = await ended;
      return { version: version.trim(), statuses, code: isWindows ? null : code };
    } finally {
      if (demo.exitCode === null) stop(demo, 'SIGKILL');
    }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function launchIn(workplace: string, unpacked: string, args: string[]): ChildProcess {
  // PATH names nothing: the archive needs no program of this machine but a shell.
  const env = isWindows ? process.env : { PATH: '/usr/bin:/bin' };
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
  return isWindows
    ? spawn(`"${join(unpacked, 'outpost.cmd')}"`, args, { cwd: workplace, env, stdio, shell: true })
    : spawn(join(unpacked, 'outpost'), args, { cwd: workplace, env, stdio });
}

function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): void {
  if (isWindows) execFileSync('taskkill', ['/pid', String(child.pid), '/T', '/F']);
  else child.kill(signal);
}

async function outputOf(child: ChildProcess): Promise<string> {
  let output = '';
  child.stdout?.on('data', (data) => (output += String(data)));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`expected the exit code 0, got ${code}`);
  return output;
}

/** What the demo prints once everything runs. */
async function factsOf(demo: ChildProcess): Promise<{ serviceUrl: string; pageUrl: string }> {
  const timeout = setTimeout(() => stop(demo, 'SIGKILL'), endsWithinMs);
  let output = '';
  try {
    // It stays open: the demo would end when what it prints next has no reader.
    for await (const data of demo.stdout?.iterator({ destroyOnReturn: false }) ?? []) {
      output += String(data);
      if (output.trimEnd().endsWith('}'))
        return JSON.parse(output) as { serviceUrl: string; pageUrl: string };
    }
  } finally {
    clearTimeout(timeout);
  }
  throw new Error(`the demo ended before it was up: ${output}`);
}
