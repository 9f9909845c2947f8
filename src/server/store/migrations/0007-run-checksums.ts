import { sql, type Kysely, type Migration } from 'kysely';

const statements = [
  // Computed in another way from now on; an empty one is not compared.
  `UPDATE log_run SET digest = ''`,
  // What was being followed is read from its beginning once more: its checkpoint holds such a digest, half-way.
  `DELETE FROM log_file WHERE checkpoint IS NOT NULL`,
];

export const runChecksums: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
