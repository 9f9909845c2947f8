import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { PoolClient, QueryConfig, QueryResult as PgResult } from 'pg';
import type { HeldLease } from '../../../../process/leases.ts';
import { LeaseLost, StoreError } from '../error.ts';
import type { StoreHealth } from '../store-health.ts';
import { explained, isConnectionUseless } from './errors.ts';
import { storable } from '../storable.ts';
import { repeated, storeLock } from '../transactions.ts';

/** A network that swallows everything would otherwise be waited for, for minutes. */
const silenceMs = 5_000;
/** Requests wait for reads, so a read may not take longer. */
const longestReadMs = 5_000;

/** One that is written in SQL, which Kysely knows nothing of. */
const isSelect = /^\s*SELECT\b/;
const isRead = ({ query, sql }: CompiledQuery): boolean =>
  query.kind === 'SelectQueryNode' || isSelect.test(sql);

/** What holds for the transactions of a database. */
export interface TransactionRules {
  /**
   * For how long a statement waits for each lock. Null: PostgreSQL sets it no limit, and single statements, which need no
   * transaction then, are sent as they are.
   */
  lockMs: number | null;
  /** For how long a statement may run beside that; 0: unlimited. */
  statementMs: number;
  /** After how long without a statement the server ends the transaction, for example because its process was suspended. */
  idleMs: number;
  /** Leases without which it fails. */
  fences?: readonly HeldLease[];
  /** Whether one process at a time has such a transaction, as for a migration. */
  isAlone?: boolean;
}

/** The longest time for a statement, waiting included; 0: unlimited. */
const longestMs = ({ lockMs, statementMs }: TransactionRules): number =>
  statementMs === 0 ? 0 : (lockMs ?? 0) + statementMs;

/** The statements that begin a transaction, sent as one message. */
const beginning = (rules: TransactionRules): string =>
  [
    'BEGIN',
    `SET LOCAL idle_in_transaction_session_timeout = ${rules.idleMs}`,
    ...(rules.lockMs === null ? [] : [`SET LOCAL lock_timeout = ${Math.max(rules.lockMs, 1)}`]),
    `SET LOCAL statement_timeout = ${longestMs(rules)}`,
    ...(rules.isAlone === true ? [`SELECT pg_advisory_xact_lock(${storeLock})`] : []),
  ].join('; ');

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
      await this.#send(beginning(rules), []);
      await this.#requireLeases(rules.fences ?? []);
    } catch (error) {
      await this.rollback();
      throw error;
    }
  }

  /**
   * The row locks keep the leases from changing hands until the transaction has ended. `FOR KEY SHARE` lets them be renewed
   * meanwhile.
   */
  async #requireLeases(fences: readonly HeldLease[]): Promise<void> {
    if (fences.length === 0) return;
    const { rows } = await this.#send(
      `SELECT name FROM lease WHERE (name, epoch) IN (SELECT * FROM unnest($1::text[], $2::bigint[]))
        ORDER BY name FOR KEY SHARE`,
      [fences.map(({ name }) => name), fences.map(({ epoch }) => epoch)],
    );
    const held = new Set((rows as { name: string }[]).map(({ name }) => name));
    const lost = fences.flatMap(({ name }) => (held.has(name) ? [] : [name]));
    if (lost.length > 0) throw new LeaseLost(`another process has taken over ${lost.join(' or ')}`);
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
