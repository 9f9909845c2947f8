import type { Migration } from 'kysely';
import { sharedTables } from './shared-tables.ts';
import { inPostgres, migrationOf } from './statements.ts';
import { tables } from './tables.ts';
import { postgresTriggers, sqliteTriggers } from './triggers.ts';

/** By engine, in the order of their names. A released migration is never edited: add a new one. */
export const migrations: Readonly<Record<'sqlite' | 'postgres', Record<string, Migration>>> = {
  sqlite: { '1.0.0-tables': migrationOf([...tables, ...sqliteTriggers]) },
  postgres: {
    '1.0.0-tables': migrationOf([...tables.map(inPostgres), ...sharedTables, ...postgresTriggers]),
  },
};
