import { hostAndPort } from './place-name.ts';
import { FileError } from '../file-port.ts';

/** The trusted keys and certificates of hosts: an address such as `sftp://host:22`, and a fingerprint. */
export interface HostTrust {
  /** Null: the host is unknown. */
  find(address: string): Promise<string | null>;
  /**
   * Trusts a host that is unknown so far.
   * @returns the trusted fingerprint: another one if the host was trusted in the meantime
   */
  trust(address: string, fingerprint: string): Promise<string>;
}

/** The address that identifies a host. */
export function trustAddress({ type, ...address }: { type: string; host: string; port: number }): string {
  return `${type}://${hostAndPort(address)}`;
}

/** Keeps fingerprints in the memory of this process. */
export function trustInMemory(): HostTrust {
  const known = new Map<string, string>();
  return {
    find: async (address) => known.get(address) ?? null,
    async trust(address, fingerprint) {
      const trusted = known.get(address) ?? fingerprint;
      known.set(address, trusted);
      return trusted;
    },
  };
}

/** What stands for the fingerprint of a host whose certificate a known authority signed. */
export const knownAuthority = 'a certificate of a known authority';

/** What to do about a host that shows something else than before. */
export const changedKey =
  'ask the host whether they changed it: if so, accept it with "outpost source trust" and the id of the server; ' +
  'if not, somebody may have put a server of their own in between';

/**
 * Trusts an unknown host. One that has shown a certificate of a known authority must go on showing one, and any host
 * may begin to.
 * @throws FileError when it shows another fingerprint than before; nothing secret may be sent then
 */
export async function checkHost(trust: HostTrust, address: string, fingerprint: string): Promise<void> {
  const known = (await trust.find(address)) ?? (await trust.trust(address, fingerprint));
  if (known === fingerprint || fingerprint === knownAuthority) return;
  throw new FileError({
    code: 'EREMOTE',
    message: `${address} shows another key than before: ${fingerprint}, not ${known}. Nothing was sent to it`,
    remedy: changedKey,
  });
}
