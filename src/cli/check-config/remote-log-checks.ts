import type { ServerConfig } from '../../config/schema.ts';
import { logFormats } from '../../server/games/index.ts';
import { FileError, type FilePort } from '../../server/files/file-port.ts';
import { rereadProblem, rereadRemedy } from '../../server/files/remote/ftp/reread-budget.ts';
import { isNewer } from '../../server/ingest/logs/folder-listing.ts';
import { fileNamesOf, formatOf } from '../../server/ingest/logs/log-format.ts';
import type { Finding } from './finding.ts';

/** More files make each listing of the folder so long that it is listed seldom. */
const manyFiles = 1_000;

/** What makes logs at a host by SFTP or FTP costly to follow. Whether they can be read at all is another check's. */
export async function checkLogsAtHost(
  folder: string,
  { id, game }: Pick<ServerConfig, 'id' | 'game'>,
  port: FilePort,
): Promise<Finding[]> {
  const about = { key: `${id}.logs`, tried: folder, status: 'warning' } as const;
  const findings: Finding[] = [];
  try {
    const formats = logFormats(game);
    const entries = await port.list(folder, { matching: fileNamesOf(formats), stat: 'all' });
    const [newest] = entries
      .filter(({ name }) => formatOf(formats, name)?.holds === 'runs')
      .map(({ name, stat }) => ({ path: name, changedAt: stat?.changedAt ?? null, size: stat?.size ?? 0 }))
      .toSorted((a, b) => (isNewer(a, b) ? -1 : 1));
    if (newest !== undefined && newest.size > 1) {
      // The second byte shows whether the host can begin elsewhere than at the first.
      await port.read(port.path.join(folder, newest.path), [{ offset: 1, length: 1 }]);
      if (!port.abilities.readFrom)
        findings.push({ ...about, found: rereadProblem(newest.size), next: rereadRemedy });
    }
    const { length } = await port.list(folder, { matching: /^/, stat: [] });
    if (length > manyFiles) {
      findings.push({
        ...about,
        found: `${length} files are in this folder, so it is listed seldom, and a log with a new name may be noticed an hour late`,
        next: 'move or delete what is not needed there, such as old logs and crash dumps',
      });
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
  }
  return findings;
}
