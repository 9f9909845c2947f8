import type { Generated } from 'kysely';

/**
 * A table is defined once: `create-tables.ts` makes the statements of both engines from it, `Schema` the types of its rows.
 *
 * Moments are epoch milliseconds (UTC), flags 0 or 1, unknown is NULL.
 */
export interface Table<Columns extends TableColumns = TableColumns> {
  columns: Columns;
  /** Columns of the primary key, where no single column says that it is the key. */
  key?: readonly string[];
  unique?: readonly string[];
  /** A constraint of several columns in SQL. */
  constraint?: string;
  /** Name → what follows `ON table`. `COLLATE NOCASE` ignores the case of ASCII letters on either engine. */
  indexes?: Readonly<Record<string, string>>;
  uniqueIndexes?: Readonly<Record<string, string>>;
}

export type ColumnType = 'integer' | 'real' | 'text';

export type TableColumns = Readonly<Record<string, Column<unknown>>>;

export interface Column<Value> {
  type: ColumnType;
  /** The store numbers the rows, and gives no number twice: buttons, alerts and feeds name rows that may be gone. */
  isNumbered?: true;
  isNullable: boolean;
  /** What follows the type in SQL. */
  constraint: string;
  /** Exists for the compiler only: the type of the values. */
  value?: Value;
}

export type RowOf<Of extends Table> = {
  -readonly [Name in keyof Of['columns']]: Of['columns'][Name] extends Column<infer Value> ? Value : never;
};

/** Checks the names in a definition, and keeps the types of its columns. */
export function table<const Columns extends TableColumns>(
  columns: Columns,
  more: Omit<Table, 'columns' | 'key' | 'unique'> & {
    key?: readonly (keyof Columns & string)[];
    unique?: readonly (keyof Columns & string)[];
  } = {},
): Table<Columns> {
  return { columns, ...more };
}

const column =
  <Value>(type: Column<Value>['type']) =>
  <Of extends Value = Value>(constraint = ''): Column<Of> => ({ type, isNullable: false, constraint });

export const integer = column<number>('integer');
export const moment = integer;
export const flag = integer;
export const real = column<number>('real');
export const text = column<string>('text');
/** A value as JSON. */
export const json = text;

export const id = (): Column<Generated<number>> => ({
  type: 'integer',
  isNumbered: true,
  isNullable: false,
  constraint: '',
});

export const orNull = <Value>(of: Column<Value>): Column<Value | null> => ({
  ...(of as Column<Value | null>),
  isNullable: true,
});

/** A column that may be left out when a row is inserted. */
export const withDefault = <Value>(of: Column<Value>, value: Value): Column<Generated<Value>> => ({
  ...(of as Column<unknown> as Column<Generated<Value>>),
  constraint: `${of.constraint} DEFAULT ${typeof value === 'string' ? `'${value}'` : String(value)}`,
});
