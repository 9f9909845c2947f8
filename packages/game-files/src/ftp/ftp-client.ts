import { TLSSocket } from 'node:tls';
import { Client, FTPError } from 'basic-ftp';
import { FileError, remoteError } from '../file-access.ts';
import { checkCertificate } from './certificate.ts';
import { type KnownHosts, hostAddress } from '../remote/known-hosts.ts';
import { networkProblem } from '../remote/network-problem.ts';
import { HostBusy, LinkLost, LoginRefused } from '../remote/session.ts';
import { openDataConnection } from './data-connection.ts';

/** `ftps`: TLS is requested before the login (`AUTH TLS`), or used from the first byte on port 990. */
export interface FtpPlace {
  type: 'ftp' | 'ftps';
  host: string;
  port: number;
  username: string;
  password: string;
}

export interface FtpLink {
  client: Client;
  place: FtpPlace;
  /** The folder after the login, to which paths are relative, with slashes: `/games` or `C:/games`. */
  home: string;
  features: ReadonlyMap<string, string>;
}

/** A path with a drive of Windows. */
export const onDrive = /^[a-z]:[\\/]/i;

const timeoutMs = 20_000;
export const maxListingBytes = 8 * 1024 * 1024;
/** Source: IANA's registry of ports: ftps. */
const implicitTlsPort = 990;

/**
 * Logs in by FTP; with `ftps`, after TLS has started and the host has shown the trusted certificate.
 * @param signal ends the attempt
 * @throws FileError when that is not possible, `LinkLost` when the host does not respond
 */
export async function openFtp(
  place: FtpPlace,
  knownHosts: KnownHosts,
  signal: AbortSignal,
): Promise<FtpLink> {
  const client = new Client(timeoutMs, { maxListingBytes });
  signal.addEventListener('abort', () => client.close());
  const address = hostAddress(place);
  try {
    await connect(client, place, address);
    if (client.ftp.socket instanceof TLSSocket)
      await checkCertificate(client.ftp.socket, knownHosts, address);
    client.prepareTransfer = async (ftp) => {
      await openDataConnection(ftp);
      return { code: 200, message: '' };
    };
    await client.sendIgnoringError('OPTS UTF8 ON');
    await logIn(client, place, address);
    await client.useDefaultSettings();
    // Some servers take the flag for the name of a folder, and list nothing.
    client.availableListCommands = client.availableListCommands.filter((command) => command !== 'LIST -a');
    const features = await client.features();
    return { client, place, features, home: await client.pwd().then(homeOf, () => '/') };
  } catch (error) {
    client.close();
    if (error instanceof FileError || error instanceof LinkLost) throw error;
    if (isBusy(error)) throw new HostBusy(`the server says: ${(error as Error).message}`);
    throw new LinkLost(lossOf(error, place));
  }
}

/** Why a connection was lost. Of a server that fell silent, basic-ftp says `Timeout (control socket)`. */
export function lossOf(error: unknown, place: FtpPlace): string {
  const message = networkProblem(error, place);
  return message.startsWith('Timeout (') ? `no answer within ${timeoutMs / 1000} s` : message;
}

/** Servers on Windows may say `C:\\games`, or `\\games`. They take slashes as well. */
function homeOf(folder: string): string {
  const path = /^(?:[a-z]:)?\\/i.test(folder) ? folder.replaceAll('\\', '/') : folder;
  return path.startsWith('/') || onDrive.test(path) ? path : '/';
}

async function connect(client: Client, { type, host, port }: FtpPlace, address: string): Promise<void> {
  // The certificate is checked before any secret is sent.
  const tls = { rejectUnauthorized: false, host };
  if (type === 'ftps' && port === implicitTlsPort) {
    await client.connectImplicitTLS(host, port, tls);
    return;
  }
  const connected = client.connect(host, port);
  client.ftp.socket.once('data', (greeting: string) => {
    if (greeting.startsWith('SSH-')) client.ftp.closeWithError(sshServer(address));
  });
  await connected;
  if (type === 'ftp') return;
  try {
    await client.useTLS(tls);
  } catch (error) {
    if (!(error instanceof FTPError)) throw error;
    throw remoteError(
      `${address} offers no TLS: "${error.message}"`,
      'ask the host for FTPS or SFTP; type: ftp works without, but sends the password openly',
    );
  }
}

function sshServer(address: string): FileError {
  return remoteError(
    `${address} is no FTP server: it greets as one of SSH, which has files by SFTP`,
    'use type: sftp, or the port of the FTP server',
  );
}

/** Too many connections, which is temporary. Some servers say so with the code of a wrong password. */
function isBusy(error: unknown): boolean {
  return (
    error instanceof FTPError && (error.code === 421 || /too many|maximum|try again/i.test(error.message))
  );
}

/** How servers refuse a login without TLS: ProFTPD, vsftpd, Pure-FTPd, FileZilla, IIS. */
const asksForTls = /\b(?:TLS|SSL)\b|encrypt|cleartext|use AUTH/i;

async function logIn(client: Client, { type, username, password }: FtpPlace, address: string): Promise<void> {
  try {
    await client.login(username, password);
  } catch (error) {
    if (!(error instanceof FTPError)) throw error;
    if (type === 'ftp' && (error.code === 534 || asksForTls.test(error.message))) {
      throw remoteError(`${address} lets nobody in without TLS: "${error.message}"`, 'use type: ftps');
    }
    if (isBusy(error)) throw error;
    throw new LoginRefused({
      message: `${address} does not let the user ${JSON.stringify(username)} in: "${error.message}"`,
      remedy: 'check username and password',
    });
  }
}
