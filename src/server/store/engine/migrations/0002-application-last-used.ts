import { sql, type Kysely, type Migration } from 'kysely';

export const applicationLastUsed: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`ALTER TABLE application ADD COLUMN last_used_at INTEGER`.execute(db);
  },
};
