import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** A database of a server. */
export interface TestDatabase {
  name: string;
  url: string;
  drop(): Promise<void>;
}

/** Runs statements on a server, one after the other, on a connection of their own. */
export async function onServer<Row>(url: string, ...statements: readonly string[]): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    let rows: Row[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows as Row[];
    return rows;
  } finally {
    await client.end();
  }
}

const strategies = new Map<string, Promise<string>>();

/** Copying files takes a third of the CPU time. PostgreSQL 14 does nothing else. */
async function strategyOf(url: string): Promise<string> {
  const [server] = await onServer<{ version: number }>(
    url,
    `SELECT current_setting('server_version_num')::int AS version`,
  );
  return (server?.version ?? 0) < 150_000 ? '' : 'STRATEGY file_copy';
}

/** Creates a database; a copy of `template`, if one is named. @param url of another database of the server */
export async function createDatabase(url: string, template?: string): Promise<TestDatabase> {
  const name = `outpost_test_${randomBytes(8).toString('hex')}`;
  strategies.set(url, strategies.get(url) ?? strategyOf(url));
  await onServer(
    url,
    `CREATE DATABASE "${name}" TEMPLATE "${template ?? 'template0'}" ENCODING 'UTF8' ${await strategies.get(url)}`,
  );
  return {
    name,
    url: databaseUrl(url, name),
    drop: async () => void (await onServer(url, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`)),
  };
}

/** The URL of another database of a server. */
export const databaseUrl = (url: string, database: string): string =>
  Object.assign(new URL(url), { pathname: `/${database}` }).href;
