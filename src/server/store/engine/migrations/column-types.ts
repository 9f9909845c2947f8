import type { ColumnType } from '../dialect.ts';
import { sincePostgres } from './since-postgres.ts';
import { untilPostgres } from './until-postgres.ts';

/**
 * The types of columns, as the migrations declare them. One name has one type in all tables, but for `id`: here it is that of rows
 * which the store numbers.
 */
const types = new Map(
  Object.values({ ...untilPostgres, ...sincePostgres })
    .flatMap(({ sqlite = [] }) => ('up' in sqlite ? [] : sqlite))
    .flatMap((statement) => [...statement.matchAll(/\b(\w+) (INTEGER|REAL|TEXT)\b/g)])
    .map(([, name = '', type = '']) => [name, type.toLowerCase() as ColumnType] as const),
);

export function typeOfColumn(name: string): ColumnType {
  const type = types.get(name);
  if (type === undefined) throw new Error(`expected a column of the store, found ${name}`);
  return type;
}
