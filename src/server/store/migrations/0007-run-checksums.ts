import { sql, type Kysely, type Migration } from 'kysely';

const statements = [
  // Computed in another way from now on; an empty one is not compared.
  `UPDATE log_run SET digest = ''`,
  // Of a run that is being followed the digest cannot be known any more.
  `UPDATE log_file SET checkpoint = json_set(checkpoint, '$.digest.crc', NULL)
    WHERE checkpoint ->> '$.digest.bytes' IS NOT NULL`,
];

export const runChecksums: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
