import { migrationOf } from './statements.ts';

const statements = [
  // Digests are computed differently from here on; an empty one is not compared.
  `UPDATE log_run SET digest = ''`,
  // The digest of a run that is being followed cannot be computed any more.
  `UPDATE log_file SET checkpoint = json_set(checkpoint, '$.digest.crc', NULL)
    WHERE checkpoint ->> '$.digest.bytes' IS NOT NULL`,
];

export const runChecksums = migrationOf(statements);
