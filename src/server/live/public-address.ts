import { isIP } from 'node:net';
import { domainToASCII } from 'node:url';
import ipaddr from 'ipaddr.js';

/*
 * Members who add servers choose the addresses to which this machine sends queries. Addresses of its own networks are
 * therefore refused: those of the owner's other machines, of the machine itself, and of a cloud's metadata service.
 */

/** Metadata services at addresses that are otherwise public: Azure's. Others are link-local, shared or reserved. */
const metadataServices = new Set(['168.63.129.16']);
/** Global unicast (RFC 4291). All else embeds IPv4 addresses, is local, or is not assigned. */
const globalIPv6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
/** Ranges of networks that an owner may open to members, by ipaddr.js's names. */
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

/** Link-local and local addresses at which clouds serve credentials. */
const metadataRanges = ['169.254.169.0/24', 'fd00:ec2::/32', '100.100.100.0/24'].map((text) =>
  ipaddr.parseCIDR(text),
);

function isMetadata(parsed: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return metadataRanges.some(
    ([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits),
  );
}

/**
 * Whether a query may be sent to an address: one of the internet, or with `allowsPrivate` also one of a private network.
 * Multicast, broadcast, unspecified, reserved and translated addresses are never allowed.
 * @param address as a resolver returns it
 */
export function mayBeQueried(address: string, allowsPrivate: boolean): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (allowsPrivate && privateRanges.has(range)) return !isMetadata(parsed);
  if (range !== 'unicast') return false;
  if (parsed instanceof ipaddr.IPv6) return parsed.match(globalIPv6);
  return !metadataServices.has(parsed.toString());
}

const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** What resolvers read as part of an IPv4 address: `127`, `0x7f`, `017`. */
const numericLabel = /^(?:[0-9]+|0x[0-9a-f]*)$/;

/**
 * The canonical form of a host that a member typed: four decimal numbers, an IPv6 address, or a name in ASCII. Null: it is
 * none of these. Other notations of addresses (`0x7f.1`, `2130706433`, `127.1`, full-width digits) are refused, since
 * programs disagree about them.
 */
export function readHost(text: string): string | null {
  const typed = text.trim();
  if (isIP(typed) !== 0) return typed.includes('%') ? null : ipaddr.parse(typed).toString();
  if (!/^[\p{L}\p{M}\p{N}._-]+$/u.test(typed)) return null;
  const name = domainToASCII(typed).toLowerCase().replace(/\.$/, '');
  const labels = name.split('.');
  if (isIP(name) !== 0 || name.length > 253 || numericLabel.test(labels.at(-1) ?? '')) return null;
  return labels.every((part) => label.test(part)) ? name : null;
}
