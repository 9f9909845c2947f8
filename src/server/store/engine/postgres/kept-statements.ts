import type { PoolClient } from 'pg';

/*
 * A statement with a name is parsed and planned once for each connection, which otherwise takes half of PostgreSQL's time
 * for a log line. Between this process and a pooler, a connection is not the one that knows the name, so they have none there.
 */

/** More than are sent together. Each has its plan in the memory of each connection. */
const mostNames = 200;

const names = new Map<string, string>();
const direct = new WeakSet<object>();

/** Finds out whether a new connection leads to PostgreSQL itself: a pooler has keys of its own for cancelling. */
export async function recognise(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  if (rows[0]?.pid === (client as { processID?: number }).processID) direct.add(client);
}

/** The name under which a connection keeps a statement; undefined: it keeps none. @param text the same each time */
export function keptName(client: PoolClient, text: string): string | undefined {
  if (!direct.has(client)) return undefined;
  const known = names.get(text);
  if (known !== undefined || names.size >= mostNames) return known;
  const name = `outpost_${names.size}`;
  names.set(text, name);
  return name;
}
