import type { Database } from './database.ts';

/** Remembers what a messages.xml says of restarts: minutes from the server's start to its end; null: it restarts no server. */
export async function saveRestartFile(
  db: Database,
  path: string,
  restartMinutes: number | null,
): Promise<void> {
  const row = { restart_minutes: restartMinutes };
  await db
    .insertInto('restart_file')
    .values({ path, ...row })
    .onConflict((conflict) => conflict.column('path').doUpdateSet(row))
    .execute();
}
