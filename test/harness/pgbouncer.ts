import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

const program = '/usr/sbin/pgbouncer';

/** Whether this machine has PgBouncer. */
export const hasPgBouncer = spawnSync(program, ['--version']).error === undefined;

/** A PgBouncer in transaction mode: a connection of the server belongs to a client for one transaction only. */
export interface PgBouncer {
  /** The same database through PgBouncer. @param url of the server itself */
  through(url: string): string;
  stop(): Promise<void>;
}

/** @param serverUrl of any database of the server. PgBouncer refuses to run as root: then it runs as nobody. */
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
    [
      '[databases]',
      `* = host=${hostname} port=${serverPort}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = plain',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      // Fewer than the clients have, so that each gets another's.
      'default_pool_size = 6',
      'max_client_conn = 500',
    ].join('\n'),
  );
  const isRoot = process.getuid?.() === 0;
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  const identity = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  for (const path of [folder, settings, users]) if (isRoot) chownSync(path, idOf('-u'), idOf('-g'));
  const child = spawn(program, [settings], { ...identity, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
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
      await rm(folder, { recursive: true, force: true });
    },
  };
}
