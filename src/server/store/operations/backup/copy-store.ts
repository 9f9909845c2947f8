import { requireSound } from '../../engine/check-store.ts';
import { SQLite, withSqlite } from '../../engine/driver.ts';
import { migrationsOfFile } from '../../engine/version.ts';

/** How far a step of a backup or a restore is, in bytes. */
export interface BackupProgress {
  step: 'copy' | 'compress' | 'read';
  done: number;
  total: number;
}

export interface CopyOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: BackupProgress) => void) | undefined;
}

const busyTimeoutMs = 10_000;
/** 4 MB: other work of this thread waits no longer than for that. */
const pagesPerStep = 1_000;

/**
 * Copies a store that others may be writing, as it was at one moment. Its memory does not grow with the store.
 *
 * SQLite's backup starts again whenever somebody else has committed, which a service does each second. So the copy is
 * made within a read transaction: in WAL mode that keeps one state of the store, and delays nobody. Until it ends, the
 * write-ahead log grows by what is written meanwhile.
 * @returns the name of the store's latest migration
 * @throws StoreError when the copy is damaged; SQLite's errors; the signal's reason
 */
export async function copyStore(
  source: string,
  target: string,
  { signal, onProgress }: CopyOptions = {},
): Promise<string> {
  const sqlite = new SQLite(source, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
  try {
    sqlite.exec('BEGIN');
    // The transaction begins with this first read. Without it the copy would begin anew with every write beside it.
    const schema = migrationsOfFile(sqlite).at(-1) ?? '';
    const pageSize = sqlite.pragma('page_size', { simple: true }) as number;
    await sqlite.backup(target, {
      progress({ totalPages, remainingPages }) {
        signal?.throwIfAborted();
        const done = (totalPages - remainingPages) * pageSize;
        onProgress?.({ step: 'copy', done, total: totalPages * pageSize });
        return pagesPerStep;
      },
    });
    checkWhole(target, source);
    return schema;
  } finally {
    sqlite.close();
  }
}

/** Checks every page: a damaged store cannot be restored. @throws StoreError */
export function checkWhole(file: string, name = file): void {
  withSqlite(file, { fileMustExist: true }, (sqlite) => requireSound(sqlite, name));
}
