import { sql } from 'kysely';
import type { Database } from '../../../../../src/server/store/engine/database.ts';

/** A table in a form that does not depend on the engine. */
export interface TableForm {
  columns: Record<string, { type: string; nullable: boolean; default: string | null }>;
  primaryKey: string[];
  /** The id of new rows is counted on. */
  counts: boolean;
  /** Columns, in order, with the condition. */
  unique: string[];
  indexes: string[];
  /** `columns → table, on delete, on update` */
  references: string[];
}

type Form = Record<string, TableForm>;

/** Tables of the engines themselves. */
const ofOneEngine = /^(?:sqlite_|kysely_|keyv$)/;

const rowsOf = async <Row>(db: Database, text: string): Promise<Row[]> =>
  (await sql.raw<Row>(text).execute(db)).rows;

/** Words and brackets that an engine adds when it prints a condition or a default. */
const plain = (text: string | null): string | null =>
  text === null
    ? null
    : text
        .toLowerCase()
        .replaceAll(/::(?:text|bigint|numeric|double precision)/g, '')
        .replaceAll(/collate "c"|collate nocase|["()\s]/g, '')
        .replaceAll('<>', '!=')
        .replaceAll(/'(\d+)'/g, '$1')
        .replaceAll(/lower([a-z_]+)/g, '$1');

const types: Record<string, string> = {
  INTEGER: 'integer',
  REAL: 'real',
  TEXT: 'text',
  bigint: 'integer',
  'double precision': 'real',
  'text COLLATE "C"': 'text',
};

/** The column lists and conditions of `CREATE INDEX … ON table (…) WHERE …`. */
function indexForm(definition: string): string {
  const [, columns = '', condition] =
    /\bON \S+ (?:USING btree )?\((.*?)\)\s*(?:WHERE (.*))?$/is.exec(definition) ?? [];
  return `${plain(columns)}${condition === undefined ? '' : ` where ${plain(condition)}`}`;
}

export async function schemaOfSqlite(db: Database): Promise<Form> {
  const tables = await rowsOf<{ name: string; sql: string }>(
    db,
    `SELECT name, sql FROM sqlite_schema WHERE type = 'table'`,
  );
  const form: Form = {};
  for (const { name, sql: definition } of tables) {
    if (ofOneEngine.test(name)) continue;
    const columns = await rowsOf<{
      name: string;
      type: string;
      notnull: number;
      dflt_value: string | null;
      pk: number;
    }>(db, `SELECT * FROM pragma_table_info('${name}')`);
    const indexes = await rowsOf<{ name: string; unique: number; origin: string; sql: string | null }>(
      db,
      `SELECT list.name, list."unique", list.origin, entry.sql FROM pragma_index_list('${name}') AS list
        JOIN sqlite_schema AS entry ON entry.name = list.name`,
    );
    const unique: string[] = [];
    for (const index of indexes.filter(({ origin }) => origin === 'u')) {
      const parts = await rowsOf<{ name: string }>(db, `SELECT name FROM pragma_index_info('${index.name}')`);
      unique.push(parts.map((part) => part.name).join());
    }
    const own = indexes.filter(({ origin }) => origin === 'c');
    const references = await rowsOf<{
      id: number;
      table: string;
      from: string;
      on_delete: string;
      on_update: string;
    }>(db, `SELECT * FROM pragma_foreign_key_list('${name}') ORDER BY id, seq`);
    const primaryKey = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
    form[name] = {
      columns: Object.fromEntries(
        columns.map((column) => [
          column.name,
          {
            type: types[column.type] ?? column.type,
            nullable: column.notnull === 0 && column.pk === 0,
            default: plain(column.dflt_value),
          },
        ]),
      ),
      primaryKey: primaryKey.map((column) => column.name),
      counts: /\bid INTEGER PRIMARY KEY(?: AUTOINCREMENT)?,/.test(definition),
      unique: [
        ...unique,
        ...own.filter((index) => index.unique === 1).map((index) => indexForm(index.sql ?? '')),
      ].toSorted(),
      indexes: own
        .filter((index) => index.unique === 0)
        .map((index) => indexForm(index.sql ?? ''))
        .toSorted(),
      references: [...new Set(references.map(({ id }) => id))]
        .map((id) => {
          const parts = references.filter((part) => part.id === id);
          const from = parts.map((part) => part.from).join();
          return `${from} → ${parts[0]?.table}, ${parts[0]?.on_delete}, ${parts[0]?.on_update}`.toLowerCase();
        })
        .toSorted(),
    };
  }
  return form;
}

export async function schemaOfPostgres(db: Database): Promise<Form> {
  const tables = await rowsOf<{ name: string; oid: number }>(
    db,
    `SELECT relname AS name, oid::bigint AS oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  );
  const form: Form = {};
  for (const { name, oid } of tables) {
    if (ofOneEngine.test(name)) continue;
    const columns = await rowsOf<{
      name: string;
      type: string;
      required: number;
      value: string | null;
      identity: string;
    }>(
      db,
      `SELECT attname AS name, attnotnull AS required, attidentity AS identity,
        format_type(atttypid, atttypmod) || CASE collname WHEN 'C' THEN ' COLLATE "C"' ELSE '' END AS type,
        pg_get_expr(adbin, adrelid) AS value
        FROM pg_attribute LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        LEFT JOIN pg_collation ON pg_collation.oid = attcollation AND collname = 'C'
        WHERE attrelid = ${oid} AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    );
    const indexes = await rowsOf<{ definition: string; primary: number; unique: number; columns: string }>(
      db,
      `SELECT pg_get_indexdef(indexrelid) AS definition, indisprimary AS primary, indisunique AS unique,
        (SELECT string_agg(attname, ',' ORDER BY place) FROM unnest(indkey::int2[]) WITH ORDINALITY AS key (number, place)
          JOIN pg_attribute ON attrelid = indrelid AND attnum = key.number) AS columns
        FROM pg_index WHERE indrelid = ${oid}`,
    );
    const references = await rowsOf<{
      columns: string;
      target: string;
      on_delete: string;
      on_update: string;
    }>(
      db,
      `SELECT (SELECT string_agg(attname, ',' ORDER BY place) FROM unnest(conkey) WITH ORDINALITY AS key (number, place)
          JOIN pg_attribute ON attrelid = conrelid AND attnum = key.number) AS columns,
        confrelid::regclass::text AS target, confdeltype AS on_delete, confupdtype AS on_update
        FROM pg_constraint WHERE conrelid = ${oid} AND contype = 'f'`,
    );
    const primary = indexes.find((index) => index.primary === 1);
    const primaryKey = primary?.columns.split(',') ?? [];
    const actions: Record<string, string> = { a: 'no action', c: 'cascade' };
    form[name] = {
      columns: Object.fromEntries(
        columns.map((column) => [
          column.name,
          {
            type: types[column.type] ?? column.type,
            nullable: column.required === 0 && !primaryKey.includes(column.name),
            default: plain(column.value),
          },
        ]),
      ),
      primaryKey,
      counts: columns.some(({ identity }) => identity !== ''),
      unique: indexes
        .filter((index) => index.unique === 1 && index.primary === 0)
        .map(({ definition }) => indexForm(definition))
        .toSorted(),
      indexes: indexes
        .filter((index) => index.unique === 0)
        .map(({ definition }) => indexForm(definition))
        .toSorted(),
      references: references
        .map(
          ({ columns: from, target, on_delete, on_update }) =>
            `${from} → ${target.replaceAll('"', '')}, ${actions[on_delete]}, ${actions[on_update]}`,
        )
        .toSorted(),
    };
  }
  return form;
}
