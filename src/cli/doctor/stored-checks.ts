import type { Environment } from '../../config/environment.ts';
import { readFailedBanWrites } from '../../server/store/repositories/monitoring.ts';
import type { ReadDatabase } from '../../server/store/engine/database.ts';
import { readLogFiles } from '../../server/store/repositories/logs/log-files.ts';
import { maxLineBytes } from '../../server/files/blocks.ts';
import { missingText } from '../../server/ingest/logs/missing-lines.ts';
import { readExisting } from '../open-store.ts';
import type { Finding } from '../check-config/finding.ts';
import type { LogLife } from './log-life.ts';

/** The service polls logs each second, and reads 100 MB in a few. */
const readWithinMs = 5 * 60_000;

async function withReader(
  environment: Environment,
  work: (db: ReadDatabase['db']) => Promise<Finding[]>,
): Promise<Finding[]> {
  try {
    return await readExisting(environment, work, []);
  } catch (error) {
    // The check of the store says that it is damaged.
    if (String((error as NodeJS.ErrnoException).code).startsWith('SQLITE_')) return [];
    throw error;
  }
}

/** Ban files that the running service could not write. */
export async function checkBanWrites(environment: Environment): Promise<Finding[]> {
  return await withReader(environment, async (db) =>
    (await readFailedBanWrites(db)).map(({ ownerId, path, error }) => ({
      key: ownerId,
      tried: path,
      status: 'wrong',
      found: `the running Outpost could not write it: ${error}`,
      next: 'give the user that runs Outpost the right to write the file and its folder; it tries again by itself',
    })),
  );
}

/** The lines of a server's logs that count nowhere. */
export async function checkMissingLines(serverId: string, environment: Environment): Promise<Finding[]> {
  return await withReader(environment, async (db) =>
    [...(await readLogFiles(db, serverId)).values()].flatMap(({ path, missing }) =>
      missing.map((lines) => ({
        key: `${serverId}.logs`,
        tried: path,
        status: 'warning' as const,
        found: missingText(lines),
        next: `if there is a copy that was made when the log was emptied, run: npx outpost import adm --server ${serverId} COPY ${path}; else nothing can be done, and moving the file away ends this warning`,
      })),
    ),
  );
}

/** Whether the running service has read a log up to its end. */
export async function checkReadPosition(
  serverId: string,
  path: string,
  { changedAt, size, name }: LogLife,
  environment: Environment,
  now: number,
): Promise<Finding[]> {
  if (now - changedAt < readWithinMs) return [];
  return await withReader(environment, async (db) => {
    const position = (await readLogFiles(db, serverId)).get(path)?.position ?? 0;
    // The last line may be unfinished.
    if (size - position <= maxLineBytes) return [];
    return [
      {
        key: `${serverId}.logs`,
        tried: path,
        status: 'warning',
        found: `the running Outpost has read ${position} of ${size} bytes of ${name}, which has not changed for minutes`,
        next: 'run: npx outpost sources; if it reads on, wait, else see the log and restart Outpost',
      },
    ];
  });
}
