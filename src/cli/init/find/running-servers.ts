import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import nativePath from 'node:path';
import { promisify } from 'node:util';
import { isServerProgram, readLaunch, splitCommandLine, type Launch } from './launch.ts';

/** PowerShell may take seconds to start. */
const windowsDeadlineMs = 8_000;

/** The DayZ servers that run on this machine, as far as this user may see. Empty where that cannot be known. */
export async function findRunningServers(platform: NodeJS.Platform = process.platform): Promise<Launch[]> {
  if (platform === 'win32') return await runningOnWindows().catch(() => []);
  if (platform === 'linux') return await runningOnLinux().catch(() => []);
  return [];
}

/** @param proc where the kernel shows processes */
export async function runningOnLinux(proc = '/proc'): Promise<Launch[]> {
  const ids = (await readdir(proc)).filter((name) => /^\d+$/.test(name));
  const launches = await Promise.all(
    ids.map(async (id) => {
      const args = (await readFile(`${proc}/${id}/cmdline`, 'utf8').catch(() => ''))
        .split('\0')
        .filter(Boolean);
      // Under Wine the server is not the first word.
      const program = args.slice(0, 4).find(isServerProgram);
      if (program === undefined) return [];
      const own = nativePath.posix.isAbsolute(program) ? nativePath.posix.dirname(program) : null;
      const folder = await readlink(`${proc}/${id}/cwd`).catch(() => own);
      return [readLaunch(args, { folder, isRunning: true })];
    }),
  );
  return launches.flat();
}

const listServers =
  '[Console]::OutputEncoding = [Text.Encoding]::UTF8; ' +
  `Get-CimInstance Win32_Process -Filter "Name LIKE 'DayZServer%'" | ` +
  'Select-Object CommandLine, ExecutablePath | ConvertTo-Json -Compress';

async function runningOnWindows(): Promise<Launch[]> {
  const { stdout } = await promisify(execFile)(
    'powershell.exe',
    ['-NoProfile', '-NonInteractive', '-Command', listServers],
    { timeout: windowsDeadlineMs, windowsHide: true, maxBuffer: 1024 * 1024 },
  );
  return readWindowsProcesses(stdout);
}

/** @param json one object, or a list of several; blank: none. */
export function readWindowsProcesses(json: string): Launch[] {
  if (json.trim() === '') return [];
  const parsed: unknown = JSON.parse(json);
  return (Array.isArray(parsed) ? parsed : [parsed]).flatMap((one: unknown) => {
    const { CommandLine: line, ExecutablePath: program } = (one ?? {}) as Record<string, unknown>;
    // Both are null for a process of another user.
    if (typeof line !== 'string') return [];
    const folder = typeof program === 'string' ? nativePath.win32.dirname(program) : null;
    return [readLaunch(splitCommandLine(line), { folder, isRunning: true })];
  });
}
