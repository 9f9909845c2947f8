import { createServer } from 'node:net';
import { CompiledQuery } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { StoreError, StoreUnavailable } from '../../../../../src/server/store/engine/error.ts';
import { codeOf } from '../../../../../src/server/store/engine/postgres/errors.ts';
import { StoreHealth, type StoreState } from '../../../../../src/server/store/engine/store-health.ts';
import { openReader, openWriter } from '../../../../../src/server/store/engine/database.ts';
import { openValuesOf } from '../../../../harness/small-values.ts';
import { patient } from '../../../../harness/new-store.ts';
import { startLink } from '../../../../harness/link.ts';
import { createDatabase, onServer } from '../../../../harness/postgres-databases.ts';
import { type PgBouncer, startProxy } from '../../../../harness/pgbouncer.ts';
import { startPostgres, type PostgresServer } from '../../../../harness/postgres.ts';

const options = { busyTimeoutMs: 5_000, limits: patient };

let server: PostgresServer;
let proxy: PgBouncer;
beforeAll(async () => {
  server = await startPostgres();
  proxy = await startProxy(server.url('postgres'));
});
afterAll(async () => {
  await proxy.stop();
  await server.remove();
});

/** A URL of the server with some parts changed. */
function urlWith(
  parts: Partial<Record<'username' | 'password' | 'port' | 'hostname' | 'pathname', string>>,
): string {
  return Object.assign(new URL(proxy.through(server.url('postgres'))), parts).href;
}

/** A database that is dropped when the test has ended, and the URL by which stores reach it. */
async function newDatabase(): Promise<{ name: string; url: string }> {
  const { name, drop } = await createDatabase(server.url('postgres'));
  onTestFinished(drop);
  return { name, url: urlWith({ pathname: `/${name}` }) };
}

async function problemOf(url: string): Promise<Error> {
  return await openWriter(url, options).then(
    async ({ close }) => {
      await close();
      throw new Error('it was opened');
    },
    (error: Error) => error,
  );
}

/** The health of a store by a clock that only the test moves, and what it reports. */
function watchHealth() {
  const states: StoreState[] = [];
  /** Each state with its reason: one trouble may have several, such as an ended connection and a refused login. */
  const reports: string[] = [];
  let now = 0;
  const health = new StoreHealth(
    (state, error) => {
      states.push(state);
      reports.push(`${state} ${error === undefined ? '' : codeOf(error)}`);
    },
    () => now,
  );
  return { health, states, reports, pass: (ms: number) => void (now += ms) };
}

it.each([
  // PostgreSQL's words, or PgBouncer's.
  ['a wrong password', { password: 'wrong' }, /(?:password|SASL) authentication failed/],
  ['an unknown user', { username: 'nobody' }, /failed|no such user/],
  ['an unknown database', { pathname: '/nowhere' }, /"nowhere" does not exist/],
  ['a port where nothing listens', { port: '1' }, /ECONNREFUSED/],
  ['an unknown host', { hostname: 'no.such.host.invalid' }, /no\.such\.host\.invalid/],
])(
  'says in one line what is wrong with %s and where to read on, without the password',
  async (_, parts, expected) => {
    const error = await problemOf(urlWith(parts));
    expect(error).toBeInstanceOf(StoreError);
    expect(error.message).toMatch(expected);
    expect(error.message).toMatch(
      /^cannot use the store at postgres:\/\/[^@\n]+ docs\/processes\.md says what to do[^\n]+$/,
    );
  },
);

it('says that the URL has no password, and leaves no connection open that would keep the process from ending', async () => {
  const connections = () =>
    process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  const before = connections();
  const error = await problemOf(urlWith({ password: '' }));
  expect(error.message).toContain('password');
  await expect.poll(connections).toBeLessThanOrEqual(before);
});

it('does not take a mistake of its own for an outage', async () => {
  const { url } = await newDatabase();
  const store = await openWriter(url, options);
  onTestFinished(store.close);
  const statement = CompiledQuery.raw('SELECT $1::text, $2::text', ['one']);
  const error = await store.db.executeQuery(statement).catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: '08P01' });
  expect(error).not.toBeInstanceOf(StoreUnavailable);
});

it('says that a user may not create tables', async () => {
  const database = await newDatabase();
  await onServer(
    database.url,
    // In PostgreSQL 14 everybody may.
    'REVOKE CREATE ON SCHEMA public FROM PUBLIC',
    `CREATE ROLE guest LOGIN PASSWORD 'guest'`,
  );
  onTestFinished(async () => void (await onServer(server.url('postgres'), 'DROP ROLE guest')));
  const error = await problemOf(
    Object.assign(new URL(database.url), { username: 'guest', password: 'guest' }).href,
  );
  expect(error.message).toContain('permission denied');
});

it('refuses a database in whose encoding not every name can be stored', async () => {
  await onServer(
    server.url('postgres'),
    `CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`,
  );
  onTestFinished(
    async () => void (await onServer(server.url('postgres'), 'DROP DATABASE latin WITH (FORCE)')),
  );
  const error = await problemOf(urlWith({ pathname: '/latin' }));
  expect(error.message).toMatch(/its encoding is LATIN1.*with the encoding UTF8\.$/);
});

it.each([
  [
    'default_transaction_isolation',
    "'repeatable read'",
    /default_transaction_isolation is repeatable read\. Set it to 'read committed'\.$/,
  ],
  ['default_transaction_read_only', 'on', /in a read-only transaction/],
  ['search_path', 'none', /search_path of its user names no schema\. Set it to public\.$/],
])('refuses a database with another %s', async (setting, value, expected) => {
  const { name, url } = await newDatabase();
  await onServer(server.url('postgres'), `ALTER DATABASE "${name}" SET ${setting} = ${value}`);
  const error = await problemOf(url);
  expect(error).toBeInstanceOf(StoreError);
  expect(error.message).toMatch(expected);
});

it('says that the store is in use while another program keeps a table locked, and goes on after that', async () => {
  const { url } = await newDatabase();
  const store = await openWriter(url, { ...options, busyTimeoutMs: 100 });
  onTestFinished(store.close);
  const other = new Client({ connectionString: url });
  await other.connect();
  onTestFinished(async () => await other.end());
  await other.query('BEGIN');
  await other.query('LOCK TABLE project IN SHARE MODE');
  for (let i = 0; i < 2; i += 1)
    await expect(store.db.deleteFrom('project').execute()).rejects.toThrow('the store is in use');
  await other.query('ROLLBACK');
  await store.db.deleteFrom('project').execute();
});

it('says that something else than PostgreSQL answers, or nobody does', async () => {
  const other = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(
    0,
    '127.0.0.1',
  );
  onTestFinished(() => void other.close());
  await expect.poll(() => other.address()).not.toBeNull();
  const { port } = other.address() as { port: number };
  const error = await problemOf(urlWith({ port: String(port) }));
  expect(error).toBeInstanceOf(StoreError);
  expect(error.message).toContain('cannot use the store at postgres://127.0.0.1');
});

it('fails as unavailable while PostgreSQL is away, and goes on when it is back', async () => {
  const database = await newDatabase();
  const { health, states, reports, pass } = watchHealth();
  const writer = await openWriter(database.url, { ...options, health });
  onTestFinished(writer.close);
  const reader = openReader(database.url, health);
  onTestFinished(reader.close);
  const small = await openValuesOf(database.url);
  onTestFinished(small.close);
  const keyv = small.of<string>('test');
  await keyv.set('key', 'value');
  const project = { id: 'p', slug: 'p', name: 'P', plan: 'PRO', suspended: 0, support: '{}', active: 1 };
  const read = () => reader.db.selectFrom('project').select('id').execute();
  const write = () => writer.db.insertInto('project').values(project).execute();
  expect(await read()).toEqual([]);

  const cut = writer.db.transaction().execute(async (tx) => {
    await tx.insertInto('project').values(project).execute();
    await server.stop();
    await tx.updateTable('project').set({ name: 'Q' }).execute();
  });
  await expect(cut).rejects.toThrow(StoreUnavailable);
  await expect(read()).rejects.toThrow(StoreUnavailable);
  await expect(write()).rejects.toThrow(StoreUnavailable);
  expect(await keyv.get('key')).toBeUndefined();
  expect(health.isAvailable).toBe(false);
  expect(await problemOf(database.url)).toBeInstanceOf(StoreUnavailable);

  await server.start();
  // PgBouncer finds it within a second.
  await expect.poll(async () => await read().catch(() => null)).toEqual([]);
  await write();
  expect(await read()).toEqual([{ id: 'p' }]);
  await expect.poll(async () => await keyv.get('key')).toBe('value');
  expect(health.isAvailable).toBe(true);
  // That it is back is reported once nothing has failed for a while.
  pass(9_999);
  await read();
  expect(states).not.toContain('available');
  pass(1);
  await read();
  expect([...new Set(states)]).toEqual(['away', 'available']);
  expect(reports).toEqual([...new Set(reports)]);
});

it.each([
  [
    'can only be read',
    'ALTER DATABASE $db SET default_transaction_read_only = on',
    'ALTER DATABASE $db RESET default_transaction_read_only',
  ],
  ['refuses the password', `ALTER ROLE member PASSWORD 'other'`, `ALTER ROLE member PASSWORD 'member'`],
  ['has no connection left', 'ALTER ROLE member CONNECTION LIMIT 0', 'ALTER ROLE member CONNECTION LIMIT -1'],
])('fails as unavailable while the database %s, and goes on by itself', async (name, begin, end) => {
  const run = async (statement: string) =>
    await onServer(server.url('postgres'), statement.replace('$db', `"${database.name}"`));
  await onServer(server.url('postgres'), `CREATE ROLE member LOGIN PASSWORD 'member'`);
  onTestFinished(async () => void (await run('DROP ROLE member')));
  const database = await createDatabase(server.url('postgres'));
  onTestFinished(database.drop);
  await run('ALTER DATABASE $db OWNER TO member');
  const url = Object.assign(new URL(database.url), { username: 'member', password: 'member' }).href;
  const { health, states, reports, pass } = watchHealth();
  const writer = await openWriter(url, { ...options, health });
  onTestFinished(writer.close);
  const write = async () => await writer.db.updateTable('rights').set({ revision: 1 }).execute();
  const isReadOnly = name === 'can only be read';

  await run(begin);
  await run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'member'`);
  await expect
    .poll(async () => await write().catch(() => states))
    .toContain(isReadOnly ? 'unwritable' : 'away');
  for (let n = 0; n < 3; n += 1) await expect(write()).rejects.toThrow(StoreUnavailable);
  // Its reads are committed, which is no sign that it can be written.
  const read = writer.db.transaction().execute((tx) => tx.selectFrom('rights').select('id').execute());
  if (isReadOnly) expect(await read).toEqual([{ id: 1 }]);
  else await expect(read).rejects.toThrow(StoreUnavailable);
  expect([health.canWrite, health.isAvailable]).toEqual([!isReadOnly, isReadOnly]);
  const reportsBefore = [...reports];

  await run(end);
  // A connection from before fails once more, and is replaced.
  await expect.poll(async () => (await write().catch(() => [])).length).toBe(1);
  pass(10_000);
  await expect.poll(async () => (await write().catch(() => [])).length).toBe(1);
  expect([health.canWrite, health.isAvailable]).toEqual([true, true]);
  expect(reportsBefore).toEqual([...new Set(reportsBefore)]);
});

it('replaces a connection that the server has ended between two statements', async () => {
  const database = await newDatabase();
  const writer = await openWriter(database.url, options);
  onTestFinished(writer.close);
  await onServer(
    server.url('postgres'),
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database.name}'`,
  );
  const read = async () => await writer.db.selectFrom('rights').select('id').execute();
  await expect.poll(async () => await read().catch(() => null)).toEqual([{ id: 1 }]);
});

it('gives up a transaction when the network falls silent in it, and goes on over other connections', async () => {
  const { name, drop } = await createDatabase(server.url('postgres'));
  onTestFinished(drop);
  const link = await startLink(server.url('postgres'));
  onTestFinished(async () => await link[Symbol.asyncDispose]());
  const { host } = new URL(link.url);
  const url = Object.assign(new URL(server.url('postgres')), { host, pathname: `/${name}` }).href;
  // Idle for long enough that both can begin on a busy machine.
  const limits = { statementMs: 2_000, idleMs: 6_000 };
  // Each would keep one for ever that never gives up.
  const writer = await openWriter(url, { busyTimeoutMs: 100, limits, connections: 2 });
  onTestFinished(writer.close);
  const write = async () => await writer.db.updateTable('rights').set({ revision: 1 }).execute();
  let begun = 0;
  const failed: unknown[] = [];
  const transaction = async (silence: Promise<void>, after: () => Promise<unknown>): Promise<void> => {
    const done = writer.db.transaction().execute(async (tx) => {
      await tx.selectFrom('rights').select('id').execute();
      begun += 1;
      await silence;
      await after();
      await tx.updateTable('rights').set({ revision: 2 }).execute();
    });
    await done.catch((error: unknown) => failed.push(error));
  };

  const refused = new Error('a fault of the code');
  let swallowed = (): void => undefined;
  const silence = new Promise<void>((resolve) => (swallowed = resolve));
  const running = [
    transaction(silence, async () => undefined),
    transaction(silence, async () => await Promise.reject(refused)),
  ];
  await expect.poll(() => begun).toBe(2);
  link.swallow();
  swallowed();
  await expect.poll(() => failed.length, { timeout: 30_000 }).toBe(2);
  await Promise.all(running);
  expect(failed).toContain(refused);
  expect(failed).toContainEqual(expect.any(StoreUnavailable));
  link.mend();
  await expect.poll(async () => (await write().catch(() => [])).length).toBe(1);
});
