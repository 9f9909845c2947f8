import { migrationOf } from './statements.ts';

const statements = [
  // Computed in another way from now on; an empty one is not compared.
  `UPDATE log_run SET digest = ''`,
  // Of a run that is being followed the digest cannot be known any more.
  `UPDATE log_file SET checkpoint = json_set(checkpoint, '$.digest.crc', NULL)
    WHERE checkpoint ->> '$.digest.bytes' IS NOT NULL`,
];

export const runChecksums = migrationOf(statements);
