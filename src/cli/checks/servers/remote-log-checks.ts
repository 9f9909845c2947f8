import type { ServerConfig } from '../../../config/schema.ts';
import { logFormats } from '../../../server/games/index.ts';
import { FileError, type FilePort } from '../../../server/files/file-port.ts';
import { rereadProblem, rereadRemedy } from '../../../server/files/remote/ftp/reread-budget.ts';
import { newestLogs } from '../../log-clock.ts';
import { about, type Finding } from '../finding.ts';

/** More files make each listing of the folder so long that it is listed seldom. */
const manyFiles = 1_000;

/** What makes logs at a host by SFTP or FTP costly to follow. Whether they can be read at all is another check's. */
export async function checkLogsAtHost(
  folder: string,
  { id, game }: Pick<ServerConfig, 'id' | 'game'>,
  port: FilePort,
): Promise<Finding[]> {
  const { warning } = about(`${id}.logs`, folder);
  const findings: Finding[] = [];
  try {
    const entries = await port.list(folder, { matching: /^/, stat: 'all' });
    const [newest] = newestLogs(entries, logFormats(game));
    if (newest !== undefined && newest.size > 1) {
      // The second byte shows whether the host can begin elsewhere than at the first.
      await port.read(port.path.join(folder, newest.name), [{ offset: 1, length: 1 }]);
      if (!port.readsFrom) findings.push(warning(rereadProblem(newest.size), rereadRemedy));
    }
    if (entries.length > manyFiles) {
      findings.push(
        warning(
          `${entries.length} files are in this folder, so it is listed seldom, and a log with a new name may be noticed an hour late`,
          'move or delete what is not needed there, such as old logs and crash dumps',
        ),
      );
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
  }
  return findings;
}
