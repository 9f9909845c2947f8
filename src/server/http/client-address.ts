import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/** Finds the address of who sent a request. */
export type ClientAddress = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

/**
 * Behind the proxies that the owner trusts (addresses or networks such as 10.0.0.0/8), the caller is whom they name in
 * X-Forwarded-For: read from its end, the first address that is not a trusted proxy's. What strangers send in that
 * header is not believed.
 */
export function createClientAddress(trusted: readonly string[]): ClientAddress {
  if (trusted.length === 0) return ({ socket }) => plain(socket.remoteAddress);
  const proxies = new BlockList();
  for (const entry of trusted) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string): boolean => {
    const version = isIP(address);
    return version !== 0 && proxies.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };
  return ({ headers, socket }) => {
    let address = plain(socket.remoteAddress);
    const forwarded = headers['x-forwarded-for'];
    if (forwarded === undefined) return address;
    const chain = String(forwarded).split(',');
    while (isTrusted(address)) {
      const next = plain(chain.pop()?.trim());
      if (isIP(next) === 0) break;
      address = next;
    }
    return address;
  };
}

/** Whose attempts are counted together: an IPv6 caller owns a whole /64. */
export function addressGroup(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.toLowerCase().split('%', 1)[0]?.split('::') ?? [];
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':');
    while (groups.length + rest.length < 8) groups.push('0');
    groups.push(...rest);
  }
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

/** IPv4 over an IPv6 socket is written as what it is. */
function plain(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
}
