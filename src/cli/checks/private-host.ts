import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const privateRanges: ReadonlySet<string> = new Set([
  'private',
  'loopback',
  'linkLocal',
  'carrierGradeNat',
  'uniqueLocal',
]);

/** Whether a host is this machine, or one of a network that the internet does not reach. */
export function isPrivateHost(host: string): boolean {
  if (isIP(host) === 0) return /^(?:localhost|host\.docker\.internal)$/i.test(host);
  return privateRanges.has(ipaddr.parse(host).range());
}
