import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import { addFigures } from './add-figures.ts';
import type { Database } from './connections.ts';
import { createTables, type Engine } from './schema/create-tables.ts';
import { sharedTables } from './schema/shared-tables.ts';

const migrationOf = (statements: readonly string[]): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
});

/**
 * By engine, in the order of their names. Until 1.0.0 is released, there is one, and it makes the tables of `schema/`. Whoever
 * changes a table until then counts its number up, so that a store with other tables is refused (`version.ts`). The release puts
 * its statements into a file, and a table that changes afterwards has a migration of its own.
 */
export const migrations: Readonly<Record<Engine, Record<string, Migration>>> = {
  sqlite: { '1.0.0-tables-2': migrationOf(createTables('sqlite')) },
  postgres: { '1.0.0-tables-2': migrationOf([...createTables('postgres'), ...sharedTables]) },
};

/** Creates or changes the tables, in one transaction; of several processes, one does. @throws the error of the database */
export async function migrate(db: Database, engine: Engine): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations[engine] } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  await addFigures(db, engine);
}
