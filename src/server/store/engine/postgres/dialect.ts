import {
  type BinaryOperationNode,
  type Dialect,
  type Driver,
  Kysely,
  OperatorNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  type RawNode,
  ValueListNode,
} from 'kysely';
import type { Pool } from 'pg';
import type { Database } from '../connections.ts';
import { isDialectNode } from '../dialect.ts';
import type { Schema } from '../schema/schema.ts';
import { PostgresConnection, type ConnectionOptions } from './connection.ts';
import { explained } from './errors.ts';

/** Kysely on a pool that others use as well. */
export function databaseOf(pool: Pool, options: ConnectionOptions): Database {
  const dialect: Dialect = {
    createAdapter: () => new Adapter(),
    createDriver: () => pooledDriver(pool, options),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new Compiler(),
  };
  return new Kysely<Schema>({ dialect });
}

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

/** Connections of a pool that its opener ends. */
const pooledDriver = (pool: Pool, options: ConnectionOptions): Driver => ({
  async init() {},
  async acquireConnection() {
    try {
      return new PostgresConnection(await pool.connect(), options);
    } catch (error) {
      options.health?.failed(error);
      throw explained(error);
    }
  },
  beginTransaction: async (connection: PostgresConnection) => await connection.begin(),
  commitTransaction: async (connection: PostgresConnection) => await connection.commit(),
  rollbackTransaction: async (connection: PostgresConnection) => await connection.rollback(),
  releaseConnection: async (connection: PostgresConnection) => connection.release(),
  async destroy() {},
});
