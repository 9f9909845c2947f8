import { createHash } from 'node:crypto';
import { connect as connectTo, type Socket } from 'node:net';
import {
  type AuthenticationType,
  type AuthHandlerMiddleware,
  Client,
  type ConnectConfig,
  type ServerHostKeyAlgorithm,
  type SFTPWrapper,
} from 'ssh2';
import { FileError, remoteError } from '../file-access.ts';
import { checkHost, type KnownHosts, hostAddress } from '../remote/known-hosts.ts';
import { networkProblem } from '../remote/network-problem.ts';
import { LinkLost, LoginRefused } from '../remote/session.ts';
import type { SftpPlace } from './sftp-place.ts';

export interface SftpLink {
  client: Client;
  sock: Socket;
  sftp: SFTPWrapper;
}

const readyMs = 20_000;

/**
 * Logs in over SSH, after the host has shown its trusted key.
 * @param signal ends the attempt
 * @throws FileError when that is not possible, `LinkLost` when the host does not respond
 */
export async function openSftp(
  place: SftpPlace,
  knownHosts: KnownHosts,
  signal: AbortSignal,
): Promise<SftpLink> {
  const address = hostAddress(place);
  const known = await knownHosts.find(address);
  const client = new Client();
  signal.addEventListener('abort', () => client.destroy());
  let refusal: unknown = null;
  const sock = connectTo({ host: place.host, port: place.port });
  sock.once('data', (greeting: Buffer) => {
    if (!/^220[ -]/.test(greeting.toString('latin1', 0, 4))) return;
    refusal = ftpServer(address);
    client.destroy();
  });
  const config: ConnectConfig = {
    sock,
    username: place.username,
    ...(place.password === undefined ? {} : { password: place.password }),
    ...(place.privateKey === undefined ? {} : { privateKey: place.privateKey }),
    ...(place.passphrase === undefined ? {} : { passphrase: place.passphrase }),
    tryKeyboard: place.password !== undefined,
    authHandler: oneMethod(place),
    readyTimeout: readyMs,
    // If a host has several keys, the trusted one is requested.
    ...(known === null ? {} : { algorithms: { serverHostKey: preferredKeys(known) } }),
    hostVerifier: (key: Buffer, verify: (isTrusted: boolean) => void): void => {
      checkHost(knownHosts, address, fingerprintOf(key)).then(
        () => verify(true),
        (error: unknown) => {
          refusal = error;
          verify(false);
        },
      );
    },
  };
  try {
    await connect(client, config, place.password ?? '');
    return { client, sock, sftp: await openSubsystem(client, address) };
  } catch (error) {
    client.end();
    client.destroy();
    sock.destroy();
    if (refusal !== null) throw refusal;
    throw error instanceof FileError ? error : connectionError(error, place, address);
  }
}

/** Servers count each method that they refuse. So one is tried, and others only if the server wants several. */
function oneMethod({ password, privateKey }: SftpPlace): AuthHandlerMiddleware {
  const methods = [
    ...(privateKey === undefined ? [] : (['publickey'] as const)),
    ...(password === undefined ? [] : (['password', 'keyboard-interactive'] as const)),
  ];
  let isTried = false;
  return (offered: AuthenticationType[] | null, isPartialSuccess) => {
    // The answer to no method at all, which is no failure, names the methods.
    if (offered === null) return 'none';
    const method = methods.find((one) => offered.includes(one));
    if (method === undefined || (isTried && !isPartialSuccess)) return false;
    isTried = true;
    methods.splice(methods.indexOf(method), 1);
    return method;
  };
}

async function connect(client: Client, config: ConnectConfig, password: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    client.on('ready', () => {
      // Requests are small; collecting them first would delay each.
      client.setNoDelay(true);
      resolve();
    });
    // Stays attached: an error of an idle connection is reported by the next request.
    client.on('error', reject);
    client.on('close', () => reject(new Error('the host closed the connection')));
    client.on('keyboard-interactive', (_name, _instructions, _lang, prompts, finish) =>
      finish(prompts.map(() => password)),
    );
    // Throws if the private key cannot be used.
    client.connect(config);
  });
}

function ftpServer(address: string): FileError {
  return remoteError(
    `${address} is no SFTP server: it greets as one of FTP`,
    'use type: ftps (ftp where the host has no TLS), or the port of the SFTP server',
  );
}

async function openSubsystem(client: Client, address: string): Promise<SFTPWrapper> {
  return await new Promise((resolve, reject) => {
    client.on('close', () => reject(new LinkLost('the host closed the connection')));
    client.sftp((error, sftp) => {
      if (error === undefined) resolve(sftp);
      else {
        const message = `${address}: the host lets the user in, but offers no SFTP: ${error.message}`;
        reject(remoteError(message, 'ask the host for SFTP access'));
      }
    });
  });
}

/** In OpenSSH's format, with the type of the key. */
function fingerprintOf(key: Buffer): string {
  const kind = key.subarray(4, 4 + Math.min(key.readUInt32BE(0), 64)).toString('latin1');
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')} (${kind})`;
}

/** The algorithms of a known fingerprint's key; none of a type that the library does not know. */
function preferredKeys(
  fingerprint: string,
): Record<'prepend' | 'append' | 'remove', ServerHostKeyAlgorithm[]> {
  const kind = /\(([\w@.-]+)\)$/.exec(fingerprint)?.[1] ?? '';
  return { prepend: algorithmsOf.get(kind) ?? [], append: [], remove: [] };
}

const algorithmsOf = new Map<string, ServerHostKeyAlgorithm[]>([
  ['ssh-rsa', ['rsa-sha2-512', 'rsa-sha2-256']],
  ['ssh-ed25519', ['ssh-ed25519']],
  ['ecdsa-sha2-nistp256', ['ecdsa-sha2-nistp256']],
  ['ecdsa-sha2-nistp384', ['ecdsa-sha2-nistp384']],
  ['ecdsa-sha2-nistp521', ['ecdsa-sha2-nistp521']],
]);

/** PuTTY's files since 2021, PKCS #8, and keys of which the line breaks were lost. */
const otherKeyFormat =
  'privateKey has to be in the format of OpenSSH: in PuTTYgen use "Conversions", "Export OpenSSH key"; ' +
  '"ssh-keygen -p -f FILE" converts most others. In a .env file it stands in "double quotes", with its line breaks or \\n for each';

function connectionError(error: unknown, place: SftpPlace, address: string): Error {
  const { message, level, code } = error as Error & { level?: string; code?: string };
  if (level === 'client-authentication') {
    const means = (['privateKey', 'password'] as const).filter((key) => place[key] !== undefined);
    return new LoginRefused({
      message: `${address} does not let the user ${JSON.stringify(place.username)} in: "${message}"`,
      remedy: `check ${['username', ...means].join(' and ')}`,
    });
  }
  if (/private ?key|passphrase|key format/i.test(message) && level === undefined && code === undefined) {
    return remoteError(
      `the private key cannot be used: ${message}`,
      /key format/i.test(message) ? otherKeyFormat : 'check privateKey and passphrase',
    );
  }
  return new LinkLost(networkProblem(error, place));
}
