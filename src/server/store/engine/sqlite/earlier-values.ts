import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hasTable, withSqlite } from '../driver.ts';
import { StoreError } from '../error.ts';
import type { SmallValueTable } from '../schema/project-tables.ts';
import { isDamage, storageProblem } from '../storage-errors.ts';

/** Until migration 0029, Keyv had a file of its own beside the store. */
const fileIn = (dataFolder: string): string => join(dataFolder, 'keyv.sqlite');
const busyTimeoutMs = 10_000;

export const hasEarlierValues = (dataFolder: string): boolean => existsSync(fileIn(dataFolder));

/** The rows of that file; none where there is no such file. @throws StoreError when it cannot be read */
export function readEarlierValues(dataFolder: string): SmallValueTable[] {
  if (!hasEarlierValues(dataFolder)) return [];
  const file = fileIn(dataFolder);
  try {
    // Not for reading only: a process that was killed may have left a journal that has to be rolled back.
    return withSqlite(file, { fileMustExist: true, timeout: busyTimeoutMs }, (sqlite) => {
      if (!hasTable(sqlite, 'keyv')) return [];
      const values = sqlite.prepare('SELECT key, value FROM keyv WHERE value IS NOT NULL ORDER BY key');
      return values.all() as SmallValueTable[];
    });
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    const problem = isDamage(String(code)) ? null : storageProblem(file, error);
    if (problem !== null) throw problem;
    throw new StoreError(
      `cannot open the database ${file}: ${message}. It holds tokens and the ids of the bot's messages only: ` +
        'move it away to start again without it; applications then register again.',
      { cause: error },
    );
  }
}

/** Deletes that file, whose values the store has. One that another process has open on Windows goes the next time. */
export function removeEarlierValues(dataFolder: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) {
    try {
      rmSync(fileIn(dataFolder) + suffix, { force: true });
    } catch {
      // It is never read again.
    }
  }
}
