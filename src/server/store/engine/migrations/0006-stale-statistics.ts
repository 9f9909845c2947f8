import { sql, type Kysely, type Migration } from 'kysely';

export const staleStatistics: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`CREATE TABLE stale_statistics (
      player_id INTEGER PRIMARY KEY REFERENCES player ON DELETE CASCADE
    ) STRICT`.execute(db);
  },
};
