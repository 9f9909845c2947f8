import { existsSync, statSync } from 'node:fs';
import { SQLite, type SQLiteDatabase } from './driver.ts';
import { damaged, storageProblem } from './storage-errors.ts';
import { StoreError } from './error.ts';

/** SQLite checks about 120 MB a second, so a full check of a larger store would delay the start. */
const fullCheckBytes = 128 * 1024 * 1024;

/**
 * Checks a store before it is used. A copy taken while Outpost ran can be damaged anywhere, and would otherwise fail
 * only when somebody reads the damaged part.
 * @param extent `quick`: of a large store only the schema is checked
 * @throws StoreError when it is damaged
 */
export function checkStore(file: string, extent: 'quick' | 'full' = 'quick'): void {
  if (!existsSync(file)) return;
  let sqlite: SQLiteDatabase | undefined;
  try {
    sqlite = new SQLite(file, { fileMustExist: true });
    const isLarge = extent === 'quick' && statSync(file).size > fullCheckBytes;
    const found = sqlite.pragma(isLarge ? "quick_check('sqlite_schema')" : 'quick_check(1)', {
      simple: true,
    }) as string;
    if (found !== 'ok') throw new StoreError(damaged(file, found.replaceAll(/\s+/g, ' ')));
  } catch (error) {
    throw error instanceof StoreError ? error : (storageProblem(file, error) ?? error);
  } finally {
    sqlite?.close();
  }
}
