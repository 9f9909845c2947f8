import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { openWriter } from '../../../../../src/server/store/engine/database.ts';
import { selfSigned } from '../../../../../packages/game-files/test/servers/certificate.ts';
import { patient } from '../../../../harness/new-store.ts';
import { onServer } from '../../../../harness/postgres-databases.ts';
import { type PostgresServer, startPostgres } from '../../../../harness/postgres.ts';

let server: PostgresServer;
let folder: string;
const at = (name: string): string => join(folder, name);
const user = 'öl/#?@:% "x"';
const password = "p@ss/w#rd?:%&=+ é'";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'outpost-url-'));
  // PostgreSQL runs as another user where the tests run as root.
  chmodSync(folder, 0o777);
  server = await startPostgres(undefined, {
    unix_socket_directories: folder,
    listen_addresses: '127.0.0.1,::1',
  });
  const quoted = `"${user.replaceAll('"', '""')}"`;
  await onServer(
    server.url('postgres'),
    `CREATE ROLE ${quoted} LOGIN PASSWORD '${password.replaceAll("'", "''")}'`,
    `CREATE DATABASE "öl %" OWNER ${quoted} TEMPLATE template0 ENCODING 'UTF8'`,
    'CREATE DATABASE store',
  );
});
afterAll(async () => {
  await server.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** How a connection of the store is, or why there is none. */
async function opened(url: string): Promise<string> {
  const writer = await openWriter(url, { busyTimeoutMs: 5_000, limits: patient }).catch(
    (error: Error) => error.message,
  );
  if (typeof writer === 'string') return writer;
  const { rows } = await sql<{ ssl: number }>`
    SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()
  `.execute(writer.db);
  await writer.close();
  return rows[0]?.ssl === 1 ? 'encrypted' : 'open';
}

const url = (host: string, query = '', database = 'store'): string =>
  server.url(database).replace('127.0.0.1', host) + query;

it('takes names and passwords with any character, as the docs say to write them', async () => {
  const [name, secret, database] = [user, password, 'öl %'].map(encodeURIComponent);
  expect(await opened(`postgres://${name}:${secret}@127.0.0.1:${server.port}/${database}`)).toBe('open');
});

it('reaches a server by a socket, by IPv6, and with options of its own', async () => {
  const socket = encodeURIComponent(folder);
  expect(await opened(url(socket))).toBe('open');
  expect(await opened(`${url('').replace(/@.*/, `@localhost:${server.port}/store`)}?host=${folder}`)).toBe(
    'open',
  );
  expect(await opened(url('[::1]'))).toBe('open');
  expect(await opened(url('127.0.0.1', '?options=-c%20work_mem%3D8MB'))).toBe('open');
  expect(await opened(url('127.0.0.1', '?options=-c%20search_path%3Dnone'))).toContain(
    'the search_path of its user names no schema',
  );
});

it('says what the driver cannot read of a URL', async () => {
  expect(await opened(`postgres://%E9:x@127.0.0.1:${server.port}/store`)).toContain('URI malformed');
  expect(await opened(url('127.0.0.1', `?sslmode=verify-full&sslrootcert=${at('missing.pem')}`))).toMatch(
    /ENOENT.*missing\.pem/,
  );
});

it('says that a server has no encryption, whichever mode asks for it, and no more', async () => {
  const warnings: string[] = [];
  const onWarning = ({ message }: Error): void => void warnings.push(message);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'])
    expect(await opened(url('127.0.0.1', `?sslmode=${mode}`))).toMatch(/does not support SSL/);
  expect(await opened(url('127.0.0.1', '?sslmode=disable'))).toBe('open');
  // The driver's own, about modes.
  expect(warnings).toEqual([]);
});

it('checks the certificate in each mode but no-verify', async () => {
  const own = selfSigned('localhost');
  const { uid, gid } = statSync(server.data);
  for (const [name, text] of [
    ['server.crt', own.cert],
    ['server.key', own.key],
  ] as const) {
    writeFileSync(join(server.data, name), text, { mode: 0o600 });
    chownSync(join(server.data, name), uid, gid);
  }
  writeFileSync(at('ca.pem'), own.cert);
  writeFileSync(at('wrong.pem'), 'no certificate');
  await onServer(server.url('postgres'), 'ALTER SYSTEM SET ssl = on', 'SELECT pg_reload_conf()');
  await expect.poll(async () => await opened(url('localhost', '?sslmode=no-verify'))).toBe('encrypted');
  for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full']) {
    expect(await opened(url('localhost', `?sslmode=${mode}`))).toMatch(/self-signed certificate/);
    expect(await opened(url('localhost', `?sslmode=${mode}&sslrootcert=${at('ca.pem')}`))).toBe('encrypted');
  }
  expect(await opened(url('127.0.0.1', `?sslmode=verify-full&sslrootcert=${at('ca.pem')}`))).toMatch(
    /does not match certificate/,
  );
  expect(
    await opened(url('localhost', `?sslmode=no-verify&sslcert=${at('wrong.pem')}&sslkey=${at('wrong.pem')}`)),
  ).toMatch(/PEM/);
  // As many hosts of databases have it.
  const rules = join(server.data, 'pg_hba.conf');
  writeFileSync(rules, 'hostssl all all all scram-sha-256\nlocal all all scram-sha-256\n');
  await onServer(url(encodeURIComponent(folder), '', 'postgres'), 'SELECT pg_reload_conf()');
  await expect.poll(async () => await opened(url('localhost'))).toMatch(/no encryption/);
});
