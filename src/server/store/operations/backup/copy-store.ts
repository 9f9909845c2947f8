import { writeFileSync } from 'node:fs';
import { hasTable, SQLite, withSqlite } from '../../engine/driver.ts';
import { botNamespace } from '../../engine/small-values.ts';

/** How far a step of a backup or a restore is, in bytes; of a transfer, in rows. */
export interface StepProgress {
  step: 'copy' | 'compress' | 'read';
  done: number;
  total: number;
}

export interface CopyOptions {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: StepProgress) => void) | undefined;
}

/** 1 MB, which takes some 2 ms: other work of this thread waits no longer than for that. */
const pagesPerStep = 250;

/**
 * Copies a store that others may be writing, as it was at one moment. Its memory does not grow with the store.
 *
 * SQLite's backup starts again whenever another connection has committed, which a service does each second. So the copy is
 * made within a read transaction: in WAL mode that keeps one state of the store, and delays nobody. Until it ends, the
 * write-ahead log grows by what is written meanwhile.
 * @throws SQLite's errors; the signal's reason
 */
export async function copyStore(
  source: string,
  target: string,
  { signal, onProgress }: CopyOptions = {},
): Promise<void> {
  // SQLite would make a file that everybody can read.
  writeFileSync(target, '', { flag: 'wx', mode: 0o600 });
  const sqlite = new SQLite(source, { readonly: true, fileMustExist: true });
  try {
    sqlite.exec('BEGIN');
    // The transaction begins with this first read. Without it the copy would begin anew with every write beside it.
    hasTable(sqlite, 'kysely_migration');
    const pageSize = sqlite.pragma('page_size', { simple: true }) as number;
    await sqlite.backup(target, {
      progress({ totalPages, remainingPages }) {
        signal?.throwIfAborted();
        const done = (totalPages - remainingPages) * pageSize;
        onProgress?.({ step: 'copy', done, total: totalPages * pageSize });
        return pagesPerStep;
      },
    });
  } finally {
    sqlite.close();
  }
}

/** Deletes tokens, and the key that marks them, from a copy of a store, so that no page of it has them any more. */
export function deleteTokens(store: string): void {
  withSqlite(store, { fileMustExist: true }, (sqlite) => {
    sqlite.pragma('secure_delete = ON');
    sqlite.prepare('DELETE FROM keyv WHERE key NOT GLOB ?').run(`${botNamespace}:*`);
  });
}
