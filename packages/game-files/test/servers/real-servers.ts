import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { newKeys } from './sftp.ts';
import { selfSigned } from './certificate.ts';

const sshd = '/usr/sbin/sshd';
const vsftpd = '/usr/sbin/vsftpd';

/** Why OpenSSH's server cannot be tried here; null: it can. */
export const noSshd = missing(sshd, 'openssh-server');
/** The same of vsftpd. */
export const noVsftpd = missing(vsftpd, 'vsftpd');

function missing(file: string, name: string): string | null {
  if (!existsSync(file)) return `${name} is not installed`;
  return process.getuid?.() === 0 ? null : `${name} is tried by root only`;
}

export interface RealServer extends AsyncDisposable {
  port: number;
}

export interface RealSftp extends RealServer {
  username: string;
  privateKey: string;
}

/** OpenSSH's server with its SFTP, for the user of this process and a new key. */
export async function startOpenSsh(folder: string): Promise<RealSftp> {
  const port = await freePort();
  const host = newKeys();
  const user = newKeys();
  const at = (name: string): string => join(folder, name);
  writeFileSync(at('host-key'), host.private, { mode: 0o600 });
  writeFileSync(at('authorized'), `${user.public}\n`);
  mkdirSync('/run/sshd', { recursive: true });
  writeFileSync(
    at('sshd.conf'),
    [
      `Port ${port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${at('host-key')}`,
      `AuthorizedKeysFile ${at('authorized')}`,
      'PermitRootLogin yes',
      'PasswordAuthentication no',
      'StrictModes no',
      'UsePAM no',
      'PidFile none',
      'Subsystem sftp internal-sftp',
      '',
    ].join('\n'),
  );
  const server = await startServer(sshd, ['-D', '-e', '-f', at('sshd.conf')], port);
  return { ...server, username: userInfo().username, privateKey: user.private };
}

/** vsftpd, which lets anyone in to read `root`. */
export async function startVsftpd(
  folder: string,
  root: string,
  { tls }: { tls: boolean },
): Promise<RealServer> {
  const port = await freePort();
  const file = join(folder, 'vsftpd.conf');
  const { key, cert } = selfSigned();
  writeFileSync(join(folder, 'certificate.pem'), `${key}${cert}`);
  const certificate = join(folder, 'certificate.pem');
  const settings = {
    listen: 'YES',
    listen_address: '127.0.0.1',
    listen_port: port,
    background: 'NO',
    anonymous_enable: 'YES',
    no_anon_password: 'NO',
    local_enable: 'NO',
    write_enable: 'NO',
    anon_root: root,
    anon_world_readable_only: 'NO',
    seccomp_sandbox: 'NO',
    ...(tls
      ? {
          ssl_enable: 'YES',
          allow_anon_ssl: 'YES',
          force_anon_logins_ssl: 'YES',
          force_anon_data_ssl: 'YES',
          rsa_cert_file: certificate,
          rsa_private_key_file: certificate,
        }
      : {}),
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(file, lines.join(''));
  return await startServer(vsftpd, [file], port);
}

async function startServer(file: string, args: string[], port: number): Promise<RealServer> {
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += String(text)));
  for (let tries = 0; !(await answers(port)); tries += 1) {
    if (child.exitCode !== null || tries === 300) throw new Error(`${file} does not start: ${said}`);
    await delay(100);
  }
  return { port, [Symbol.asyncDispose]: async () => await end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
