import {
  type BinaryOperationNode,
  CompiledQuery,
  OperatorNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type RawNode,
  ValueListNode,
} from 'kysely';
import type { Pool } from 'pg';
import { isDialectNode } from '../../dialect.ts';
import { PostgresConnection, type ConnectionOptions } from './connection.ts';
import { explained } from './errors.ts';

/** Kysely on a pool that others use as well. */
export class PooledDialect implements Dialect {
  readonly #pool: Pool;
  readonly #options: ConnectionOptions;

  constructor(pool: Pool, options: ConnectionOptions) {
    this.#pool = pool;
    this.#options = options;
  }

  createDriver(): Driver {
    return new PooledDriver(this.#pool, this.#options);
  }

  createQueryCompiler(): QueryCompiler {
    return new Compiler();
  }

  createAdapter(): PostgresAdapter {
    return new PostgresAdapter();
  }

  createIntrospector(db: Kysely<unknown>): PostgresIntrospector {
    return new PostgresIntrospector(db);
  }
}

/** Takes PostgreSQL's side of what the two dialects write differently. */
class Compiler extends PostgresQueryCompiler {
  protected override visitRaw(node: RawNode): void {
    super.visitRaw(isDialectNode(node) ? node.postgres() : node);
  }

  /** `in ()` is a mistake to PostgreSQL, but not to SQLite. */
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { operator, rightOperand: list } = node;
    const isList = PrimitiveValueListNode.is(list) || ValueListNode.is(list);
    if (!isList || list.values.length > 0) super.visitBinaryOperation(node);
    else this.append(OperatorNode.is(operator) && operator.operator === 'not in' ? 'true' : 'false');
  }
}

class PooledDriver implements Driver {
  readonly #pool: Pool;
  readonly #options: ConnectionOptions;

  constructor(pool: Pool, options: ConnectionOptions) {
    this.#pool = pool;
    this.#options = options;
  }

  async init(): Promise<void> {
    // The pool connects when it is needed.
  }

  async acquireConnection(): Promise<PostgresConnection> {
    try {
      return new PostgresConnection(await this.#pool.connect(), this.#options);
    } catch (error) {
      this.#options.health?.failed(error);
      throw explained(error);
    }
  }

  async beginTransaction(connection: PostgresConnection): Promise<void> {
    await connection.begin();
  }

  async commitTransaction(connection: PostgresConnection): Promise<void> {
    await connection.commit();
  }

  async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    await connection.rollback();
  }

  async savepoint(connection: PostgresConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`SAVEPOINT "${name}"`));
  }

  async rollbackToSavepoint(connection: PostgresConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`ROLLBACK TO SAVEPOINT "${name}"`));
  }

  async releaseSavepoint(connection: PostgresConnection, name: string): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(`RELEASE SAVEPOINT "${name}"`));
  }

  async releaseConnection(connection: PostgresConnection): Promise<void> {
    connection.release();
  }

  async destroy(): Promise<void> {
    // Whoever opened the pool ends it.
  }
}
