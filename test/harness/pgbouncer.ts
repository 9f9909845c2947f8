import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../src/demo/free-port.ts';

const program = '/usr/sbin/pgbouncer';
const exampleFile = new URL('../../deploy/pgbouncer.ini', import.meta.url);

/** Whether this machine has PgBouncer. */
export const hasPgBouncer = spawnSync(program, ['--version']).error === undefined;

/** A PgBouncer in transaction mode: a connection of the server belongs to a client for one transaction only. */
export interface PgBouncer {
  /** The same database through PgBouncer. @param url of the server itself */
  through(url: string): string;
  stop(): Promise<void>;
}

/** What this run of the tests has between stores and a server: PgBouncer with `OUTPOST_TEST_PGBOUNCER=1`, else nothing. */
export async function startProxy(serverUrl: string): Promise<PgBouncer> {
  if (process.env['OUTPOST_TEST_PGBOUNCER'] === '1') return await startPgBouncer(serverUrl);
  return { through: (url) => url, stop: async () => undefined };
}

/**
 * Starts a PgBouncer with the settings of `deploy/pgbouncer.ini`, for all databases of a server. PgBouncer refuses to run
 * as root: then it runs as nobody.
 * @param serverUrl of any database of the server
 */
export async function startPgBouncer(serverUrl: string): Promise<PgBouncer> {
  const { hostname, port: serverPort, username, password } = new URL(serverUrl);
  const folder = await mkdtemp(join(tmpdir(), 'outpost-pgbouncer-'));
  const port = await freePort();
  const secret = decodeURIComponent(password);
  const settings = join(folder, 'pgbouncer.ini');
  const users = join(folder, 'users.txt');
  await writeFile(users, `"${username}" "${secret}"\n`);
  await writeFile(
    settings,
    withSettings(await readFile(exampleFile, 'utf8'), {
      // Roles that tests create are looked up in the server.
      outpost: `host=${hostname} port=${serverPort} auth_user=${username}`,
      listen_addr: '127.0.0.1',
      listen_port: `${port}`,
      auth_file: users,
      // Fewer than the clients have, so that each gets another's.
      default_pool_size: '6',
      max_client_conn: '500',
      unix_socket_dir: '',
    }),
  );
  const isRoot = process.getuid?.() === 0;
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  const identity = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  for (const path of [folder, settings, users]) if (isRoot) chownSync(path, idOf('-u'), idOf('-g'));
  const child = spawn(program, [settings], { ...identity, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  /** Not even a test run that ends early leaves one behind. */
  const endWithProcess = (): void => void child.kill('SIGKILL');
  process.on('exit', endWithProcess);
  await new Promise<void>((resolve, reject) => {
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = `${log}${text}`.slice(-10_000);
      if (log.includes('process up')) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`PgBouncer ended at its start: ${log}`)));
  });
  return {
    through(url) {
      const changed = new URL(url);
      changed.host = `127.0.0.1:${port}`;
      return changed.href;
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
      process.off('exit', endWithProcess);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The example for all databases, with other values. A second `[pgbouncer]` would undo what the first says. */
function withSettings(example: string, values: Record<string, string>): string {
  let text = example;
  for (const [name, value] of Object.entries(values)) {
    const written = new RegExp(`^${name} =.*$`, 'm');
    const line = `${name} = ${value}`;
    text = written.test(text) ? text.replace(written, line) : `${text}${line}\n`;
  }
  return text.replace(/^outpost =/m, '* =');
}
