import { describe, expect, it } from 'vitest';
import { mayBeQueried, readHost } from '../../../src/server/live/public-address.ts';

/** Addresses that members may never choose, by why. */
const never = {
  '0.0.0.0': 'unspecified',
  '0.1.2.3': 'this network',
  '255.255.255.255': 'broadcast',
  '224.0.0.1': 'multicast',
  '239.255.255.250': 'multicast',
  '240.0.0.1': 'reserved',
  '192.0.0.192': "a cloud's metadata service",
  '192.0.2.1': 'documentation',
  '198.18.0.1': 'benchmarks',
  '198.51.100.7': 'documentation',
  '203.0.113.7': 'documentation',
  '192.88.99.1': '6to4 relays',
  '169.254.169.254': "a cloud's metadata service",
  '100.100.100.200': "a cloud's metadata service",
  '168.63.129.16': "a cloud's metadata service",
  'fd00:ec2::254': "a cloud's metadata service",
  '::': 'unspecified',
  '::ffff:127.0.0.1': 'IPv4-mapped',
  '::ffff:7f00:1': 'IPv4-mapped',
  '::ffff:8.8.8.8': 'IPv4-mapped, which has a plain notation',
  '0:0:0:0:0:ffff:a00:1': 'IPv4-mapped',
  '::127.0.0.1': 'IPv4-compatible',
  '::7f00:1': 'IPv4-compatible',
  '::ffff:0:127.0.0.1': 'IPv4-translated',
  '64:ff9b::127.0.0.1': 'NAT64',
  '64:ff9b::a9fe:a9fe': 'NAT64',
  '64:ff9b:1::a00:1': 'local NAT64',
  '2002:7f00:1::': '6to4',
  '2002:c0a8:101::1': '6to4',
  '2001:0:7f00:1::': 'Teredo',
  'ff02::1': 'multicast',
  'fec0::1': 'site-local',
  '100::1': 'discard',
  '2001:db8::1': 'documentation',
  '3fff::1': 'documentation',
  '5f00::1': 'segment routing',
  '4000::1': 'not assigned',
  localhost: 'no address',
  '127.1': 'no address as a resolver writes it',
  '': 'no address',
};

/** Addresses of private networks, which an owner can allow. */
const local = [
  '127.0.0.1',
  '127.255.255.254',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.20',
  '100.64.0.1',
  '100.127.255.254',
  '169.254.1.1',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd12:3456::1',
];

const open = [
  '8.8.8.8',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '1.1.1.1',
  '2001:4860:4860::8888',
  '2a01:4f8::1',
];

describe('an address that a member chose', () => {
  it.each(Object.entries(never))('%s is refused: %s', (address) => {
    expect([mayBeQueried(address, false), mayBeQueried(address, true)]).toEqual([false, false]);
  });

  it.each(local)('%s is refused, unless the owner allows private ones', (address) => {
    expect([mayBeQueried(address, false), mayBeQueried(address, true)]).toEqual([false, true]);
  });

  it.each(open)('%s is queried', (address) => {
    expect(mayBeQueried(address, false)).toBe(true);
  });
});

describe('a host that a member typed', () => {
  it.each([
    '0x7f.1',
    '0x7f000001',
    '2130706433',
    '017700000001',
    '0177.0.0.1',
    '127.1',
    '127.0.1',
    '127.0.0.1.',
    '0x7f.0.0.0x1.',
    '1.2.3.4.5',
    '256.1.1.1',
    '１２７.0.0.1',
    '①②⑦.0.0.1',
    '127。0。0。1',
    'ⓛocalhost',
    'example.1',
    'example.0x1',
    '[::1]',
    '[::ffff:7f00:1]',
    '[2001:4860:4860::8888]:27016',
    'fe80::1%eth0',
    '::1%1',
    'user@example.org',
    'user:password@127.0.0.1',
    'http://example.org',
    'example.org:27016',
    'example.org/path',
    'example.org?x',
    'example.org#x',
    'exa mple.org',
    'example..org',
    '.example.org',
    '-example.org',
    'example-.org',
    'exam\u0000ple.org',
    'example.org\r\nHost: x',
    '$(id).example.org',
    '*',
    '.',
    '',
    `${'a'.repeat(64)}.example.org`,
    `${'a.'.repeat(127)}org`,
    '\u202egro.elpmaxe',
  ])('%j is none', (text) => expect(readHost(text)).toBeNull());

  it.each([
    ['203.0.113.7', '203.0.113.7'],
    [' play.Example.org ', 'play.example.org'],
    ['play.example.org.', 'play.example.org'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['игры.example', 'xn--c1ajz8b.example'],
    ['my_host-1.example.org', 'my_host-1.example.org'],
    ['2001:4860:4860:0:0:0:0:8888', '2001:4860:4860::8888'],
    ['::FFFF:127.0.0.1', '::ffff:7f00:1'],
    ['ＬＯＣＡＬＨＯＳＴ', 'localhost'],
  ])('%j is %s', (text, host) => expect(readHost(text)).toBe(host));
});
