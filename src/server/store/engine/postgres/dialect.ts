import {
  type BinaryOperationNode,
  type DatabaseConnection,
  type Dialect,
  OperatorNode,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  type RawNode,
  ValueListNode,
} from 'kysely';
import type { Pool } from 'pg';
import { isDialectNode } from '../dialect.ts';
import { PostgresConnection, type ConnectionOptions } from './connection.ts';
import { explained } from './errors.ts';

/** Kysely on a pool that others use as well. */
export const pooledDialect = (pool: Pool, options: ConnectionOptions): Dialect => ({
  createAdapter: () => new Adapter(),
  createDriver: () => new PooledDriver(pool, options),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new Compiler(),
});

/**
 * A migration's transaction is alone (`TransactionRules.isAlone`). Kysely's lock is one of the session, which PgBouncer loses.
 */
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** Takes PostgreSQL's side of what the two dialects write differently. */
class Compiler extends PostgresQueryCompiler {
  protected override visitRaw(node: RawNode): void {
    super.visitRaw(isDialectNode(node) ? node.postgres() : node);
  }

  /**
   * `in ()` is a mistake to PostgreSQL, but not to SQLite. Kysely's plugin for it copies each statement's tree, for 4 µs,
   * and drops from it what `isDialectNode` looks for.
   */
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { operator, rightOperand: list } = node;
    const isList = PrimitiveValueListNode.is(list) || ValueListNode.is(list);
    if (!isList || list.values.length > 0) super.visitBinaryOperation(node);
    else this.append(OperatorNode.is(operator) && operator.operator === 'not in' ? 'true' : 'false');
  }
}

class PooledDriver extends PostgresDriver {
  readonly #pool: Pool;
  readonly #options: ConnectionOptions;

  constructor(pool: Pool, options: ConnectionOptions) {
    super({ pool });
    this.#pool = pool;
    this.#options = options;
  }

  override async acquireConnection(): Promise<PostgresConnection> {
    try {
      return new PostgresConnection(await this.#pool.connect(), this.#options);
    } catch (error) {
      this.#options.health?.failed(error);
      throw explained(error);
    }
  }

  override async beginTransaction(connection: PostgresConnection): Promise<void> {
    await connection.begin();
  }

  override async commitTransaction(connection: PostgresConnection): Promise<void> {
    await connection.commit();
  }

  override async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    await connection.rollback();
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    (connection as PostgresConnection).release();
  }

  override async destroy(): Promise<void> {
    // Whoever opened the pool ends it.
  }
}
