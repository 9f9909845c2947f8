import { ExpressionWrapper, PostgresAdapter, RawNode, sql, type Expression, type RawBuilder } from 'kysely';
import type { Database } from './connections.ts';
import type { ColumnType } from './schema/columns.ts';
import { jsonOf } from './storable.ts';

/**
 * What SQLite and PostgreSQL write differently. Repositories use these parts and are otherwise one code for both. The
 * tables of both have the same names and columns; INTEGER is bigint in PostgreSQL, REAL double precision.
 */

/** A part of a statement in SQLite's words, and a function that returns it in PostgreSQL's. */
interface DialectNode extends RawNode {
  readonly postgres: () => RawNode;
}

export function isPostgres(db: Pick<Database, 'getExecutor'>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** The node of `byDialect`, which a compiler for PostgreSQL has to replace. */
export function isDialectNode(node: RawNode): node is DialectNode {
  return 'postgres' in node;
}

/** A part of a statement that the two write differently. That of PostgreSQL is made only for PostgreSQL. */
export function byDialect<Value = unknown>(
  sqlite: RawBuilder<Value>,
  postgres: () => RawBuilder<Value>,
): ExpressionWrapper<never, never, Value> {
  const node: DialectNode = {
    ...sqlite.toOperationNode(),
    postgres: () => postgres().toOperationNode(),
  };
  return new ExpressionWrapper(node);
}

type Value = string | number | null;

const postgresTypes = { integer: 'bigint', real: 'double precision', text: 'text' } as const;
const arrayOf = (type: ColumnType, values: readonly Value[]): RawBuilder<unknown> =>
  sql`${values}::${sql.raw(postgresTypes[type])}[]`;

/** Rows as a table for FROM, in one bound value (SQLite) or one a column (PostgreSQL), however many they are. */
export function rowsOf(
  alias: string,
  columns: Readonly<Record<string, ColumnType>>,
  rows: readonly (readonly Value[])[],
): Expression<unknown> {
  const names = Object.keys(columns);
  const selected = names.map((name, index) => sql`value ->> ${sql.lit(index)} AS ${sql.ref(name)}`);
  return byDialect(
    sql`(SELECT ${sql.join(selected)} FROM json_each(${jsonOf(rows)})) AS ${sql.table(alias)}`,
    () => {
      const arrays = Object.values(columns).map((type, index) =>
        arrayOf(
          type,
          rows.map((row) => row[index] ?? null),
        ),
      );
      const list = sql.join(names.map((name) => sql.ref(name)));
      return sql`unnest(${sql.join(arrays)}) AS ${sql.table(alias)} (${list})`;
    },
  );
}

/** Values as the right side of IN, in one bound value, however many they are. */
export function valuesOf<T extends string | number>(type: ColumnType, values: readonly T[]): Expression<T> {
  return byDialect<T>(
    sql<T>`(SELECT value FROM json_each(${jsonOf(values)}))`,
    () => sql<T>`(SELECT unnest(${arrayOf(type, values)}))`,
  );
}

/** `a JOIN b ON …` in which SQLite reads `a` first; PostgreSQL decides by its statistics. */
export const joinInOrder = byDialect(sql`CROSS JOIN`, () => sql`JOIN`);

/** A column for a condition for which SQLite must not use an index. */
export function withoutIndex<T>(column: string): Expression<T> {
  return byDialect<T>(sql<T>`+${sql.ref(column)}`, () => sql<T>`${sql.ref(column)}`);
}

const functionOf =
  (sqlite: string, postgres: string) =>
  (...of: readonly Expression<unknown>[]): Expression<number> => {
    const call = (name: string) => sql<number>`${sql.raw(name)}(${sql.join([...of])})`;
    return byDialect(call(sqlite), () => call(postgres));
  };

/** The greatest, and the least, of expressions that are not null. */
export const greatest = functionOf('max', 'greatest');
export const least = functionOf('min', 'least');

/** A text column without the case of ASCII letters, to be compared with `smallAscii` texts. */
export function withoutCase(column: string): Expression<string> {
  return byDialect<string>(
    sql<string>`${sql.ref(column)} COLLATE NOCASE`,
    () => sql<string>`lower(${sql.ref(column)})`,
  );
}

/** A text with its ASCII letters in lower case, and no others. */
export const smallAscii = (text: string): string =>
  text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
