import { maxLineBytes } from '../../../server/files/blocks.ts';
import { missingText } from '../../../server/ingest/logs/reading/missing-lines.ts';
import { readLogFiles } from '../../../server/store/repositories/logs/log-files.ts';
import type { ReadStore } from '../../open-store.ts';
import { about, type Finding } from '../finding.ts';
import type { NewestLog } from '../servers/newest-log.ts';

/** The service polls logs each second, and reads 100 MB in a few. */
const readWithinMs = 5 * 60_000;

/** The lines of a server's logs that count nowhere. */
export async function checkMissingLines(serverId: string, read: ReadStore): Promise<Finding[]> {
  const files = await read(async (db) => [...(await readLogFiles(db, serverId)).values()], []);
  return files.flatMap(({ path, missing }) =>
    missing.map((lines) =>
      about(`${serverId}.logs`, path).warning(
        missingText(lines),
        `if there is a copy that was made when the log was emptied, run: outpost import adm --server ${serverId} COPY ${path}; else nothing can be done, and moving the file away ends this warning`,
      ),
    ),
  );
}

/** Whether the running service has read a log up to its end. */
export async function checkReadPosition(
  serverId: string,
  path: string,
  { changedAt, size, name }: NewestLog,
  read: ReadStore,
  now: number,
): Promise<Finding[]> {
  if (now - changedAt < readWithinMs) return [];
  const position = await read(
    async (db) => (await readLogFiles(db, serverId)).get(path)?.position ?? 0,
    size,
  );
  // The last line may be unfinished.
  if (size - position <= maxLineBytes) return [];
  return [
    about(`${serverId}.logs`, path).warning(
      `the running Outpost has read ${position} of ${size} bytes of ${name}, which has not changed for minutes`,
      'run: outpost sources; if it reads on, wait, else see the log and restart Outpost',
    ),
  ];
}
