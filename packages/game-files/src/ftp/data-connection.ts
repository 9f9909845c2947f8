import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as secure, TLSSocket } from 'node:tls';
import type { FTPContext } from 'basic-ftp';
import { LinkLost } from '../remote/session.ts';
import { certificateOf } from './certificate.ts';

/** Source: RFC 2428, 3 and RFC 959, 4.1.2 */
const extendedAnswer = /\(([!-~])\1\1(\d{1,5})\1\)/;
const passiveAnswer = /(\d{1,3}),(\d{1,3}),(\d{1,3}),(\d{1,3}),(\d{1,3}),(\d{1,3})/;

/** A firewall that drops what it does not allow never answers. */
const connectMs = 10_000;

/**
 * Opens the connection for a listing or a file. It connects to the control connection's host, whatever address the
 * server names, which could be anyone's. With TLS the host must show the same certificate.
 */
export async function openDataConnection(ftp: FTPContext): Promise<void> {
  const host = ftp.socket.remoteAddress;
  if (host === undefined) throw new LinkLost('the connection was cut');
  const port = await dataPort(ftp);
  const socket = connect({ host, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(connectMs) });
  } catch (error) {
    socket.destroy();
    throw dataProblem(port, error as NodeJS.ErrnoException);
  }
  ftp.dataSocket = ftp.socket instanceof TLSSocket ? secured(socket, ftp.socket, ftp) : socket;
}

const closedPort = new Set(['ABORT_ERR', 'ECONNREFUSED', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);

function dataProblem(port: number, { code = '', message }: NodeJS.ErrnoException): LinkLost {
  if (!closedPort.has(code)) return new LinkLost(`the server's data connection cannot be opened: ${message}`);
  const why = code === 'ABORT_ERR' ? `no answer within ${connectMs / 1000} seconds` : code;
  return new LinkLost(
    `the login works, but the passive port ${port} that the server opens for data cannot be reached (${why})`,
    "ask the host to open the passive ports of its FTP server in its firewall, or use sftp; this machine's own firewall has " +
      'to let connections to them out, too',
  );
}

async function dataPort(ftp: FTPContext): Promise<number> {
  const extended = await ftp.request('EPSV').catch(() => null);
  const [, , port] = extendedAnswer.exec(extended?.message ?? '') ?? [];
  if (port !== undefined) return Number(port);
  const { message } = await ftp.request('PASV');
  const numbers = passiveAnswer.exec(message)?.slice(5).map(Number);
  if (numbers === undefined) throw new LinkLost(`the server opens no data connection: ${message}`);
  return (numbers[0] ?? 0) * 256 + (numbers[1] ?? 0);
}

function secured(socket: Socket, control: TLSSocket, ftp: FTPContext): TLSSocket {
  const session = ftp.tlsSessionStore ?? control.getSession();
  const data = secure({ ...ftp.tlsOptions, socket, ...(session === undefined ? {} : { session }) });
  data.on('session', (next) => (ftp.tlsSessionStore = next));
  data.once('secureConnect', () => {
    if (data.isSessionReused() || certificateOf(data) === certificateOf(control)) return;
    data.destroy(new Error('the data connection shows another certificate'));
  });
  return data;
}
