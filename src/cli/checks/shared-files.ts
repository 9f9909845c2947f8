import { type FilePort, type FileStat, stampOf } from 'game-files';
import type { Config, ServerConfig } from '../../config/schema.ts';
import type { SourceFiles } from '../../server/files/source-files.ts';
import { logFormatsOf } from '../../server/games/index.ts';
import { fileNamesOf } from 'dayz-files';
import { about, type Finding } from './finding.ts';

type Key = 'logs' | 'playersDb';

/**
 * Finds servers of a project that have the same files on this machine under different paths, such as that of a symbolic link
 * or a mount. The config compares paths as they are written, since a share that hangs would block its reading.
 */
export async function checkSharedFiles(
  { projects }: Pick<Config, 'projects'>,
  files: SourceFiles,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { servers } of projects) {
    const known = new Map<string, { id: string; path: string }>();
    for (const server of servers.filter(({ active, files: place }) => active && place === undefined)) {
      const { id } = server;
      const port = files.of(id).of(`${id} shared files`);
      for (const key of ['logs', 'playersDb'] as const) {
        const path = server[key];
        if (path === undefined) continue;
        // A path that cannot be read is reported by another check.
        const stats = await statsOf(server, key, path, port).catch(() => []);
        const stamps = stats.map((stat) => `${key} ${stampOf(stat)}`);
        const other = stamps.map((stamp) => known.get(stamp)).find((one) => one !== undefined);
        for (const stamp of stamps) known.set(stamp, { id, path });
        if (other === undefined) continue;
        findings.push(about(`${id}.${key}`, path)('file.shared', { path: other.path, other: other.id }));
      }
    }
  }
  return findings;
}

async function statsOf({ game }: ServerConfig, key: Key, path: string, port: FilePort): Promise<FileStat[]> {
  if (key === 'playersDb') return [await port.stat(path)];
  const entries = await port.list(path, { matching: fileNamesOf(logFormatsOf(game)), stat: 'all' });
  return entries.flatMap(({ stat }) => stat ?? []);
}
