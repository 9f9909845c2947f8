import type { TLSSocket } from 'node:tls';
import { type FileError, remoteError } from '../file-access.ts';
import { changeRemedy, checkHost, type KnownHosts, knownAuthority } from '../remote/known-hosts.ts';

export function certificateOf(socket: TLSSocket): string {
  return socket.getPeerCertificate().fingerprint256;
}

/**
 * A certificate that a known authority signed for the host may change; any other is identified by its fingerprint.
 * @throws FileError when the host is not trusted; nothing secret may be sent then
 */
export async function checkCertificate(
  socket: TLSSocket,
  knownHosts: KnownHosts,
  address: string,
): Promise<void> {
  const fingerprint = `SHA256:${certificateOf(socket)} (certificate)`;
  if (socket.authorized) await checkHost(knownHosts, address, knownAuthority);
  else if ((await knownHosts.find(address)) === knownAuthority) {
    throw untrusted(socket, knownHosts, address, fingerprint);
  } else await checkHost(knownHosts, address, fingerprint);
}

/** Why a host is not trusted that has shown certificates of a known authority. */
function untrusted(
  socket: TLSSocket,
  knownHosts: KnownHosts,
  address: string,
  fingerprint: string,
): FileError {
  const { valid_from: from, valid_to: to } = socket.getPeerCertificate();
  const outOfTime = new Map([
    ['CERT_HAS_EXPIRED', `expired on ${dayOf(to)}`],
    ['CERT_NOT_YET_VALID', `is valid from ${dayOf(from)} on`],
  ]);
  // Node gives the code, whatever its type says.
  const code = String(socket.authorizationError);
  const problem = outOfTime.get(code) ?? `no known authority signed for it (${code})`;
  return remoteError(
    `${address} shows a certificate that ${problem}: ${fingerprint}. Nothing was sent to it`,
    // Nothing proves that it is the host's own.
    outOfTime.has(code)
      ? 'ask the host to renew it, and check that the clock of this machine is right; if the host confirms that it is theirs, ' +
          `${knownHosts.howToAccept} until then`
      : changeRemedy(knownHosts),
  );
}

/** `2026-11-20`. */
function dayOf(time: string): string {
  const at = Date.parse(time);
  return Number.isNaN(at) ? 'an unknown day' : new Date(at).toISOString().slice(0, 10);
}
