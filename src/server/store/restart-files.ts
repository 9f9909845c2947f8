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

/** What a messages.xml said when it was last read; undefined: it never was. */
export async function findRestartFile(
  db: Pick<Database, 'selectFrom'>,
  path: string,
): Promise<{ restartMinutes: number | null } | undefined> {
  return await db
    .selectFrom('restart_file')
    .select('restart_minutes as restartMinutes')
    .where('path', '=', path)
    .executeTakeFirst();
}
