import { hostAndPort } from './place-address.ts';
import { remoteError } from '../file-access.ts';

/**
 * The keys and certificates by which hosts are known. The first key of an unknown host is trusted; when the host shows another
 * key later, it is refused before any secret is sent to it.
 */
export interface KnownHosts {
  /**
   * @param address such as `sftp://host:22` (`hostAddress`)
   * @returns the fingerprint of the host's key, `SHA256:… (ssh-ed25519)`; null: the host is unknown
   */
  find(address: string): Promise<string | null>;
  /**
   * Trusts a host that is unknown so far.
   * @returns the trusted fingerprint: another one if the host was trusted in the meantime
   */
  trust(address: string, fingerprint: string): Promise<string>;
  /** How the owner accepts another key of a known host, as part of a sentence: `accept it with "ssh-keygen -R"`. */
  readonly howToAccept: string;
}

/** The address that identifies a host. */
export function hostAddress({ type, ...address }: { type: string; host: string; port: number }): string {
  return `${type}://${hostAndPort(address)}`;
}

/** Known hosts in the memory of this process. */
export function knownHostsInMemory(): KnownHosts {
  const known = new Map<string, string>();
  return {
    howToAccept: 'start this program again, which forgets the key that it knew',
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
export const changeRemedy = ({ howToAccept }: KnownHosts): string =>
  `ask the host whether they changed it: if so, ${howToAccept}; if not, somebody may have put a server of their own in between`;

/**
 * Trusts an unknown host. A known host may change to a certificate of a known authority, but not back from it.
 * @throws FileError when it shows another fingerprint than before; nothing secret may be sent then
 */
export async function checkHost(knownHosts: KnownHosts, address: string, fingerprint: string): Promise<void> {
  const known = (await knownHosts.find(address)) ?? (await knownHosts.trust(address, fingerprint));
  if (known === fingerprint || fingerprint === knownAuthority) return;
  throw remoteError(
    `${address} shows another key than before: ${fingerprint}, not ${known}. Nothing was sent to it`,
    changeRemedy(knownHosts),
  );
}
