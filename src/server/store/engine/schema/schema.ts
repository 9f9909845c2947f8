import type { Selectable } from 'kysely';
import { banTables } from './ban-tables.ts';
import { json, type RowOf, table, text } from './columns.ts';
import { logTables } from './log-tables.ts';
import { memberTables } from './member-tables.ts';
import { playerTables } from './player-tables.ts';
import { projectTables } from './project-tables.ts';
import { rightsTables } from './rights-tables.ts';

/** Every table, each after those to which it refers. */
export const tables = {
  ...projectTables,
  ...playerTables,
  ...logTables,
  ...banTables,
  ...memberTables,
  ...rightsTables,
  /** Keyv's values: tokens, and what the bot keeps. `namespace:key`, and an object with the value and when it expires. */
  keyv: table({ key: text('PRIMARY KEY'), value: json() }),
};

type Tables = typeof tables;
export type Schema = { [Name in keyof Tables]: RowOf<Tables[Name]> };

/** A row as it is read. */
export type Stored<Name extends keyof Tables> = Selectable<Schema[Name]>;

/**
 * The tables with a column of this name, each after those to which it refers: a new table is among them by itself.
 * @param but without these
 */
export const tablesWith = (column: string, but: readonly (keyof Tables)[] = []): (keyof Tables)[] =>
  (Object.keys(tables) as (keyof Tables)[]).filter(
    (name) => column in tables[name].columns && !but.includes(name),
  );
