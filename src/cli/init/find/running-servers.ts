import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import nativePath from 'node:path';
import { promisify } from 'node:util';
import { splitCommandLine } from '../../../server/games/command-line.ts';
import type { RunningServer } from '../../../server/games/game.ts';
import { games } from '../../../server/games/index.ts';

/** PowerShell may take seconds to start. */
const windowsDeadlineMs = 8_000;

/** The game servers that run on this machine, as far as this user may see. Empty where that cannot be known. */
export async function findRunningServers(): Promise<RunningServer[]> {
  if (process.platform === 'win32') return await runningOnWindows().catch(() => []);
  if (process.platform === 'linux') return await runningOnLinux().catch(() => []);
  return [];
}

/** @param proc where the kernel shows processes */
export async function runningOnLinux(proc = '/proc'): Promise<RunningServer[]> {
  const ids = (await readdir(proc)).filter((name) => /^\d+$/.test(name));
  const launches = await Promise.all(
    ids.map(async (id) => {
      const args = (await readFile(`${proc}/${id}/cmdline`, 'utf8').catch(() => ''))
        .split('\0')
        .filter(Boolean);
      // Under Wine the server is not the first word.
      const words = args.slice(0, 4);
      const game = games.find(({ servers }) => words.some(servers.isProgram));
      const program = words.find((word) => game?.servers.isProgram(word));
      if (game === undefined || program === undefined) return [];
      const own = nativePath.posix.isAbsolute(program) ? nativePath.posix.dirname(program) : null;
      const folder = await readlink(`${proc}/${id}/cwd`).catch(() => own);
      return [{ ...game.servers.readLaunch(args, { folder, isRunning: true }), game: game.type }];
    }),
  );
  return launches.flat();
}

const listServers =
  '[Console]::OutputEncoding = [Text.Encoding]::UTF8; ' +
  `Get-CimInstance Win32_Process -Filter "${games.map(({ servers }) => `Name LIKE '${servers.program}%'`).join(' OR ')}" | ` +
  'Select-Object CommandLine, ExecutablePath | ConvertTo-Json -Compress';

async function runningOnWindows(): Promise<RunningServer[]> {
  const { stdout } = await promisify(execFile)(
    'powershell.exe',
    ['-NoProfile', '-NonInteractive', '-Command', listServers],
    { timeout: windowsDeadlineMs, windowsHide: true, maxBuffer: 1024 * 1024 },
  );
  return readWindowsProcesses(stdout);
}

/** @param json one object, or a list of several; blank: none. */
export function readWindowsProcesses(json: string): RunningServer[] {
  if (json.trim() === '') return [];
  const parsed: unknown = JSON.parse(json);
  return (Array.isArray(parsed) ? parsed : [parsed]).flatMap((one: unknown) => {
    const { CommandLine: line, ExecutablePath: program } = (one ?? {}) as Record<string, unknown>;
    // Both are null for a process of another user.
    if (typeof line !== 'string') return [];
    const args = splitCommandLine(line);
    const name = nativePath.win32
      .basename(typeof program === 'string' ? program : (args[0] ?? ''))
      .toLowerCase();
    const game = games.find(({ servers }) => name.startsWith(servers.program.toLowerCase()));
    if (game === undefined) return [];
    const folder = typeof program === 'string' ? nativePath.win32.dirname(program) : null;
    return [{ ...game.servers.readLaunch(args, { folder, isRunning: true }), game: game.type }];
  });
}
