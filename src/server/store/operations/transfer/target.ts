import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { copyMark } from '../../engine/postgres/migrate.ts';
import { endPool, openPool } from '../../engine/postgres/pool.ts';
import { openingProblem } from '../../engine/postgres/errors.ts';
import { shownUrl } from '../../engine/postgres/url.ts';
import { StoreError } from '../../engine/error.ts';
import { postgresMigrations } from '../../engine/migrations/index.ts';
import { type Column, quoted, type Row, type Source, type SourceTable } from './source.ts';

const postgresTypes = { integer: 'bigint', real: 'double precision', text: 'text' } as const;
/** A key that another row has, and one that is too long for an index. */
const unstorable = /^(?:23505|54000)$/;

type TargetState = 'no tables' | 'new store' | 'interrupted copy';

/** A database of PostgreSQL into which a store is copied. */
export class Target {
  readonly #pool: Pool;
  readonly #url: string;
  readonly #source: Pick<Source, 'id' | 'tables'>;
  readonly #mark: string;

  constructor(url: string, source: Pick<Source, 'id' | 'tables'>) {
    this.#pool = openPool(url, 1);
    this.#url = url;
    this.#source = source;
    this.#mark = `${copyMark}${source.id} ${randomBytes(4).toString('hex')}`;
  }

  /** @throws StoreError when the database holds anything but an interrupted copy of the same source */
  async inspect(): Promise<TargetState> {
    const tables = (await this.#query<{ name: string }>(tablesStatement)).map(({ name }) => name);
    if (tables.length === 0) return 'no tables';
    const refuse = (found: string): never => {
      throw new StoreError(
        `the database ${shownUrl(this.#url)} ${found}. Nothing was changed. Create an empty database and name that.`,
      );
    };
    if (!tables.includes('kysely_migration')) refuse(`has other tables, such as ${tables[0]}`);
    const applied = (
      await this.#query<{ name: string }>('SELECT name FROM kysely_migration ORDER BY name')
    ).map(({ name }) => name);
    const mark = applied.find((name) => name.startsWith(copyMark));
    const missing = Object.keys(postgresMigrations).filter((name) => !applied.includes(name));
    const unknown = applied.filter((name) => name !== mark && !Object.hasOwn(postgresMigrations, name));
    if (mark !== undefined) {
      if (!mark.startsWith(`${copyMark}${this.#source.id} `)) {
        refuse('holds an interrupted copy of another store');
      }
      if (missing.length + unknown.length > 0) {
        refuse('holds a copy that another version of Outpost began');
      }
      return 'interrupted copy';
    }
    for (const { name: table } of this.#source.tables) {
      // The only row of this one comes with the table.
      const rows = table === 'rights' ? 'rights WHERE revision > 0' : quoted(table);
      if (!tables.includes(table)) continue;
      const found = await this.#query<{ found: number }>(`SELECT EXISTS (SELECT FROM ${rows})::int AS found`);
      if (found[0]?.found === 1) refuse(`holds a store already: its table ${table} has rows`);
    }
    return 'new store';
  }

  /** Marks the database as incomplete, empties its tables, and turns their triggers off. */
  async begin(): Promise<void> {
    const tables = this.#source.tables.map(({ name }) => quoted(name));
    await this.#atOnce([
      'LOCK TABLE kysely_migration IN ACCESS EXCLUSIVE MODE',
      `DELETE FROM kysely_migration WHERE name LIKE '${copyMark}%'`,
      `INSERT INTO kysely_migration (name, timestamp) VALUES ('${this.#mark}', '${new Date().toISOString()}')`,
      `TRUNCATE ${tables.join(', ')} CASCADE`,
      ...tables.map((table) => `ALTER TABLE ${table} DISABLE TRIGGER USER`),
    ]);
  }

  /**
   * @returns the rows that were not inserted: they differ from another only in what PostgreSQL cannot store, or are too
   * long for its indexes
   */
  async insert({ name, columns }: SourceTable, rows: readonly Row[]): Promise<Row[]> {
    try {
      await this.#insert(name, columns, rows);
      return [];
    } catch (error) {
      if (!isUnstorable(error)) throw error;
    }
    const left: Row[] = [];
    for (const row of rows) {
      try {
        await this.#insert(name, columns, [row]);
      } catch (error) {
        if (!isUnstorable(error)) throw error;
        left.push(row);
      }
    }
    return left;
  }

  async #insert(table: string, columns: readonly Column[], rows: readonly Row[]): Promise<void> {
    const names = columns.map(({ name }) => quoted(name)).join(', ');
    const arrays = columns.map(({ type }, index) => `$${index + 1}::${postgresTypes[type]}[]`).join(', ');
    const { rowCount } = await this.#pool.query(
      `INSERT INTO ${quoted(table)} (${names}) SELECT ${names} FROM unnest(${arrays}) AS new (${names})
        WHERE EXISTS (SELECT FROM kysely_migration WHERE name = '${this.#mark}')`,
      columns.map((_, index) => rows.map((row) => row[index] ?? null)),
    );
    if (rowCount === rows.length) return;
    throw new StoreError(`another copy into ${shownUrl(this.#url)} has begun; this one ends here.`);
  }

  /** Lets ids go on after the last one that the source gave. */
  async continueIds(table: string, last: number): Promise<void> {
    await this.#pool.query(
      `SELECT setval(found, greatest($2::bigint, 1), $2::bigint > 0)
        FROM pg_get_serial_sequence($1, 'id') AS found WHERE found IS NOT NULL`,
      [table, last],
    );
  }

  async countRows(table: string): Promise<number> {
    const [found] = await this.#query<{ rows: number }>(`SELECT count(*) AS rows FROM ${quoted(table)}`);
    return found?.rows ?? 0;
  }

  /** Turns the triggers on and takes the mark away: from now on the store is complete. */
  async finish(): Promise<void> {
    const tables = this.#source.tables.map(({ name }) => quoted(name));
    for (const table of tables) await this.#query(`ANALYZE ${table}`);
    await this.#atOnce([
      ...tables.map((table) => `ALTER TABLE ${table} ENABLE TRIGGER USER`),
      `DELETE FROM kysely_migration WHERE name = '${this.#mark}'`,
    ]);
  }

  async close(): Promise<void> {
    await endPool(this.#pool);
  }

  /** Several statements in one message are one transaction. */
  async #atOnce(statements: readonly string[]): Promise<void> {
    await this.#query(['BEGIN', ...statements, 'COMMIT'].join('; '));
  }

  async #query<Result>(statement: string): Promise<Result[]> {
    try {
      return (await this.#pool.query(statement)).rows as Result[];
    } catch (error) {
      throw openingProblem(this.#url, error);
    }
  }
}

const isUnstorable = (error: unknown): boolean => unstorable.test(String((error as { code?: unknown }).code));

const tablesStatement = `
  SELECT relname AS name FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
  ORDER BY relname
`;
