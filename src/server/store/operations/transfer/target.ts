import type { Pool, PoolClient } from 'pg';
import { openingProblem } from '../../engine/postgres/errors.ts';
import { endPool, openPool } from '../../engine/postgres/pool.ts';
import { writeLock } from '../../engine/postgres/transactions.ts';
import { shownUrl } from '../../engine/postgres/url.ts';
import { StoreError } from '../../engine/error.ts';
import { quoted, type Row, type Source, type SourceTable } from './source.ts';

const postgresTypes = { integer: 'bigint', real: 'double precision', text: 'text' } as const;
/** A key that another row has, and one that is too long for an index. */
const unstorable = /^(?:23505|54000)$/;
/** Of `lock_timeout`. */
const patience = '10s';

/** A database of PostgreSQL into which a store is copied in one transaction, so that others see all of the copy or nothing. */
export class Target {
  readonly #pool: Pool;
  readonly #url: string;
  readonly #tables: Source['tables'];
  #client: PoolClient | undefined;

  constructor(url: string, { tables }: Pick<Source, 'tables'>) {
    this.#pool = openPool(url, 1);
    this.#url = url;
    this.#tables = tables;
  }

  /** @throws StoreError when the database holds anything but the tables of a store, without rows */
  async requireEmpty(): Promise<void> {
    const tables = (await this.#query<{ name: string }>(tablesStatement)).map(({ name }) => name);
    if (tables.length === 0) return;
    const refuse = (found: string): never => {
      throw new StoreError(
        `the database ${shownUrl(this.#url)} ${found}. Nothing was changed. Create an empty database and name that.`,
      );
    };
    if (!tables.includes('kysely_migration')) refuse(`has other tables, such as ${tables[0]}`);
    for (const { name: table } of this.#tables) {
      // The only row of this one comes with the table.
      const rows = table === 'rights' ? 'rights WHERE revision > 0' : quoted(table);
      if (!tables.includes(table)) continue;
      const found = await this.#query<{ found: number }>(`SELECT EXISTS (SELECT FROM ${rows})::int AS found`);
      if (found[0]?.found === 1) refuse(`holds a store already: its table ${table} has rows`);
    }
  }

  /** Begins the transaction. Until its end no other connection reads or writes the tables, and their triggers are off. */
  async begin(): Promise<void> {
    const tables = this.#tables.map(({ name }) => quoted(name));
    await this.#query(
      [
        'BEGIN',
        'SET LOCAL statement_timeout = 0',
        'SET LOCAL idle_in_transaction_session_timeout = 0',
        `SET LOCAL lock_timeout = '${patience}'`,
        `SELECT pg_advisory_xact_lock(${writeLock})`,
        `LOCK TABLE ${tables.join(', ')} IN ACCESS EXCLUSIVE MODE`,
      ].join('; '),
    );
    await this.requireEmpty();
    await this.#query(`TRUNCATE ${tables.join(', ')}`);
    await this.#switchTriggers('DISABLE');
  }

  /**
   * @returns the rows that were not inserted: they differ from another only in what PostgreSQL cannot store, or are too
   * long for its indexes
   */
  async insert(table: SourceTable, rows: readonly Row[]): Promise<Row[]> {
    if (await this.#tryInsert(table, rows)) return [];
    const left: Row[] = [];
    for (const row of rows) if (!(await this.#tryInsert(table, [row]))) left.push(row);
    return left;
  }

  /** @returns false: at least one of them cannot be stored, and none was inserted */
  async #tryInsert({ name: table, columns }: SourceTable, rows: readonly Row[]): Promise<boolean> {
    const names = columns.map(({ name }) => quoted(name)).join(', ');
    const arrays = columns.map(({ type }, index) => `$${index + 1}::${postgresTypes[type]}[]`).join(', ');
    const values = columns.map((_, index) => rows.map((row) => row[index] ?? null));
    await this.#query('SAVEPOINT inserting');
    try {
      await this.#query(
        `INSERT INTO ${quoted(table)} (${names}) SELECT ${names} FROM unnest(${arrays}) AS new (${names})`,
        values,
      );
    } catch (error) {
      const { code } = (error as { cause?: { code?: unknown } }).cause ?? {};
      if (!unstorable.test(String(code))) throw error;
      await this.#query('ROLLBACK TO SAVEPOINT inserting');
      return false;
    }
    await this.#query('RELEASE SAVEPOINT inserting');
    return true;
  }

  /** Lets ids go on after the last one that the source gave. */
  async continueIds(table: string, last: number): Promise<void> {
    await this.#query(
      `SELECT setval(found, greatest($2::bigint, 1), $2::bigint > 0)
        FROM pg_get_serial_sequence($1, 'id') AS found WHERE found IS NOT NULL`,
      [table, last],
    );
  }

  /** Turns the triggers on, and commits. */
  async finish(): Promise<void> {
    await this.#query(`ANALYZE ${this.#tables.map(({ name }) => quoted(name)).join(', ')}`);
    await this.#switchTriggers('ENABLE');
    await this.#query('COMMIT');
  }

  /** Rolls back what is not committed. */
  async close(): Promise<void> {
    this.#client?.release(true);
    await endPool(this.#pool);
  }

  async #switchTriggers(to: 'DISABLE' | 'ENABLE'): Promise<void> {
    const statements = this.#tables.map(({ name }) => `ALTER TABLE ${quoted(name)} ${to} TRIGGER USER`);
    await this.#query(statements.join('; '));
  }

  async #query<Result>(statement: string, values: readonly unknown[] = []): Promise<Result[]> {
    try {
      this.#client ??= await this.#pool.connect();
      return (await this.#client.query(statement, [...values])).rows as Result[];
    } catch (error) {
      throw openingProblem(this.#url, error);
    }
  }
}

const tablesStatement = `
  SELECT relname AS name FROM pg_class
  WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
  ORDER BY relname
`;
