import { Migrator } from 'kysely';
import type { Database } from './connections.ts';
import { migrations } from './migrations/index.ts';

/** Creates or changes the tables, in one transaction; of several processes, one does. @throws the error of the database */
export async function migrate(db: Database, engine: keyof typeof migrations): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations[engine] } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
