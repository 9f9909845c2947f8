import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Logger } from 'pino';

type Request = Pick<IncomingMessage, 'headers' | 'socket'>;

/** Finds the caller's address. */
export type ClientAddress = (request: Request) => string;

/** Whether an address belongs to a trusted proxy: addresses or networks such as 10.0.0.0/8. */
export function createProxyCheck(trusted: readonly string[]): (address: string) => boolean {
  const proxies = new BlockList();
  for (const entry of trusted) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && proxies.check(address, version === 6 ? 'ipv6' : 'ipv4');
  };
}

/** Where an owner's proxies are: this machine, containers on it, its own network. From elsewhere, anybody sends any header. */
const nearby = ['127.0.0.0/8', '::1', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'];

/**
 * Behind trusted proxies, the caller's address comes from X-Forwarded-For: the last address in it that is not a
 * trusted proxy. Other callers can put anything into that header, so it is ignored from them.
 */
export function createClientAddress(trusted: readonly string[], log: Logger): ClientAddress {
  const isTrusted = createProxyCheck(trusted);
  const isNear = createProxyCheck(nearby);
  let hasWarned = false;
  const warnOnce = (address: string): void => {
    if (hasWarned || !isNear(address) || isTrusted(address)) return;
    hasWarned = true;
    log.warn(
      `a proxy at ${address} sends X-Forwarded-For, but http.trustProxy does not list it: all its callers count as one address. If it is yours, add ${address} to http.trustProxy, or its network`,
    );
  };
  return ({ headers, socket }) => {
    let address = plainAddress(socket.remoteAddress);
    const forwarded = headers['x-forwarded-for'];
    if (forwarded === undefined) return address;
    warnOnce(address);
    const chain = String(forwarded).split(',');
    while (isTrusted(address)) {
      const next = plainAddress(withoutPort(chain.pop()?.trim() ?? ''));
      if (isIP(next) === 0) break;
      address = next;
    }
    return address;
  };
}

/** Some proxies append the port (`203.0.113.9:1234`, `[2001:db8::1]:1234`) or write brackets only. */
function withoutPort(text: string): string {
  const [, v6, v4] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d{1,5})?$/.exec(text) ?? [];
  return v6 ?? v4 ?? text;
}

/** Whether the request was made on this machine: a proxy here forwards those of others. */
export function isFromThisMachine({ headers, socket }: Request): boolean {
  if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) return false;
  return isLoopback(plainAddress(socket.remoteAddress));
}

export function isLoopback(address: string): boolean {
  return address === '::1' || (address.startsWith('127.') && isIP(address) === 4);
}

/** The key under which attempts are counted: an IPv6 caller owns a whole /64. */
export function addressGroup(address: string): string {
  if (isIP(address) !== 6) return address;
  const { parts } = ipaddr.IPv6.parse(address.replace(/%.*/, ''));
  return parts.slice(0, 4).join(':');
}

/** The IPv4 address of an IPv4 connection on an IPv6 socket; other addresses unchanged. */
export function plainAddress(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
}
