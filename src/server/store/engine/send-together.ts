import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import type { Database } from './connections.ts';

/** A statement that is not sent yet, with rows of this shape as its result. */
export interface Statement<Row = unknown> {
  compile(db: Database): CompiledQuery<Row>;
}

export interface Write {
  statement: Statement;
  /** Called with its result. What it throws fails the transaction. */
  onResult?: (result: QueryResult<unknown>) => void;
}

/** A connection that sends several statements before the first is answered. */
export interface PipeliningConnection extends DatabaseConnection {
  /** Runs them in their order. @throws the first error, when all are answered */
  executeAll(queries: readonly CompiledQuery[]): Promise<QueryResult<unknown>[]>;
}

type Results<Statements extends readonly Statement[]> = {
  -readonly [Index in keyof Statements]: Statements[Index] extends Statement<infer Row> ? Row[] : never;
};

/**
 * Runs reads of a transaction in their order; none needs the result of another. On PostgreSQL they take one round trip
 * together, and one that fails fails the others.
 * @returns the rows of each
 */
export async function readTogether<const Statements extends readonly Statement[]>(
  tx: Database,
  statements: Statements,
): Promise<Results<Statements>> {
  return await writeAndRead(tx, [], statements);
}

/** Sends statements that write together. */
export async function writeTogether(tx: Database, writes: readonly Write[]): Promise<void> {
  await writeAndRead(tx, writes, []);
}

/** Sends statements that write together with those that read what they have written. */
export async function writeAndRead<const Statements extends readonly Statement[]>(
  tx: Database,
  writes: readonly Write[],
  reads: Statements,
): Promise<Results<Statements>> {
  const results = await sendTogether(tx, [...writes.map(({ statement }) => statement), ...reads]);
  const ofReads = results.splice(writes.length);
  for (const [index, result] of results.entries()) writes[index]?.onResult?.(result);
  return ofReads.map(({ rows }) => rows) as Results<Statements>;
}

async function sendTogether(tx: Database, statements: readonly Statement[]): Promise<QueryResult<unknown>[]> {
  if (statements.length === 0) return [];
  const queries = statements.map((statement) => statement.compile(tx));
  return await tx.getExecutor().provideConnection(async (connection) => {
    if ('executeAll' in connection) return await (connection as PipeliningConnection).executeAll(queries);
    const results: QueryResult<unknown>[] = [];
    for (const query of queries) results.push(await connection.executeQuery(query));
    return results;
  });
}
