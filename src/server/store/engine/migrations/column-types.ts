import type { ColumnType } from '../dialect.ts';
import { tables } from './tables.ts';

/**
 * The types of columns, as the tables declare them. One name has one type in all tables, but for `id`: here it is that of rows
 * which the store numbers.
 */
const types = new Map(
  tables
    .flatMap((statement) => [...statement.matchAll(/\b(\w+) (INTEGER|REAL|TEXT)\b/g)])
    .map(([, name = '', type = '']) => [name, type.toLowerCase() as ColumnType] as const),
);

export function typeOfColumn(name: string): ColumnType {
  const type = types.get(name);
  if (type === undefined) throw new Error(`expected a column of the store, found ${name}`);
  return type;
}
