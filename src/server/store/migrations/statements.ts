import { sql, type Kysely, type Migration } from 'kysely';

/** A migration that runs these statements, one after the other. */
export function migrationOf(statements: readonly string[]): Migration {
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of statements) await sql.raw(statement).execute(db);
    },
  };
}
