import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { PoolClient, QueryConfig, QueryResult as PgResult } from 'pg';
import { StoreError } from '../error.ts';
import type { StoreHealth } from '../store-health.ts';
import { explained, isConnectionUseless } from './errors.ts';
import { storable } from '../storable.ts';
import { repeated } from '../repeated.ts';
import { beginStatements, longestMs, requireLeases, type TransactionRules } from './begin.ts';

/** A network that swallows everything would otherwise be waited for, for minutes. */
const silenceMs = 5_000;
/** Requests wait for reads, so a read may not take longer. */
const longestReadMs = 5_000;

/** One that is written in SQL, which Kysely knows nothing of. */
const isSelect = /^\s*SELECT\b/;
const isRead = ({ query, sql }: CompiledQuery): boolean =>
  query.kind === 'SelectQueryNode' || isSelect.test(sql);

export interface ConnectionOptions {
  /** null: only single statements that read. */
  rules: TransactionRules | null;
  health?: StoreHealth | undefined;
}

/** A connection of the pool, for as long as a statement or a transaction needs it. */
export class PostgresConnection implements DatabaseConnection {
  readonly #client: PoolClient;
  readonly #options: ConnectionOptions;
  #inTransaction = false;
  #hasWritten = false;
  #lost: Error | undefined;

  constructor(client: PoolClient, options: ConnectionOptions) {
    this.#client = client;
    this.#options = options;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { rules } = this.#options;
    const reads = isRead(query);
    if (rules === null && !reads) throw new StoreError('this connection of the store only reads');
    if (this.#inTransaction) {
      const result = await this.#execute<Row>(query);
      this.#hasWritten ||= !reads;
      return result;
    }
    return await repeated(async () => {
      const isWrapped = !reads && (rules?.lockMs ?? null) !== null;
      return isWrapped ? await this.#executeAlone<Row>(query) : await this.#execute<Row>(query);
    });
  }

  /** Runs a single statement in a transaction, for its time limits and leases. */
  async #executeAlone<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    await this.begin();
    try {
      const result = await this.#execute<Row>(query);
      this.#hasWritten = true;
      await this.commit();
      return result;
    } catch (error) {
      await this.rollback();
      throw error;
    }
  }

  async begin(): Promise<void> {
    const { rules } = this.#options;
    if (rules === null) throw new StoreError('this connection of the store only reads');
    this.#inTransaction = true;
    this.#hasWritten = false;
    try {
      // Several statements in one message have a result each.
      const results = await this.#send(beginStatements(rules), []);
      requireLeases(results as unknown as PgResult[], rules.fences);
    } catch (error) {
      await this.rollback();
      throw error;
    }
  }

  async commit(): Promise<void> {
    const { command } = await this.#send('COMMIT', []);
    this.#inTransaction = false;
    // After a failed statement PostgreSQL answers COMMIT by rolling back, without an error.
    if (command !== 'COMMIT')
      throw new Error('the transaction was rolled back: a statement in it had failed');
    // A store that can only be read commits a transaction of reads as well.
    if (this.#hasWritten) this.#options.health?.written();
  }

  /**
   * Never fails: a connection on which it cannot be sent is closed, which rolls back as well. On one that is lost it would wait
   * behind a statement that is never answered.
   */
  async rollback(): Promise<void> {
    this.#inTransaction = false;
    if (this.#lost !== undefined) return;
    try {
      await this.#client.query({ text: 'ROLLBACK', query_timeout: silenceMs } as QueryConfig);
    } catch (error) {
      this.#lost = error as Error;
    }
  }

  streamQuery(): never {
    throw new Error('results of PostgreSQL are read whole');
  }

  release(): void {
    this.#client.release(this.#lost ?? this.#inTransaction);
  }

  async #execute<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return resultOf<Row>(await this.#send(sql, parameters));
  }

  async #send(text: string, values: readonly unknown[]): Promise<PgResult> {
    const { health, rules } = this.#options;
    // As long as the server lets it run; 0: unlimited.
    const runMs = rules === null ? longestReadMs : longestMs(rules);
    const timeoutMs = runMs === 0 ? 0 : runMs + silenceMs;
    try {
      // Its types do not know the time limit of a single query.
      const query = { text, values: values.map(storable), query_timeout: timeoutMs } as QueryConfig;
      const result = await this.#client.query(query);
      health?.answered();
      return result;
    } catch (error) {
      health?.failed(error);
      if (isConnectionUseless(error)) this.#lost = error as Error;
      throw explained(error);
    }
  }
}

function resultOf<Row>({ command, rowCount, rows }: PgResult): QueryResult<Row> {
  const writes = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'].includes(command);
  return {
    rows: rows as Row[],
    ...(writes ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}),
  };
}
