import { expect, test } from 'vitest';
import {
  checkHost,
  knownAuthority,
  type KnownHosts,
  knownHostsInMemory,
} from '../../src/remote/known-hosts.ts';

const address = 'sftp://host.example:22';

test('of two keys that one unknown host shows at once, only the first is trusted', async () => {
  const hosts = knownHostsInMemory();
  // Both see that the host is unknown, before either trusts it.
  const unknown: KnownHosts = { ...hosts, find: async () => null };
  await checkHost(unknown, address, 'SHA256:first');
  await expect(checkHost(unknown, address, 'SHA256:second')).rejects.toMatchObject({
    message: expect.stringContaining('SHA256:second, not SHA256:first'),
  });
  expect(await hosts.find(address)).toBe('SHA256:first');
});

test('a host whose certificate was that of a known authority may not show one of its own later', async () => {
  const hosts = knownHostsInMemory();
  await checkHost(hosts, address, knownAuthority);
  await expect(checkHost(hosts, address, 'SHA256:own')).rejects.toMatchObject({
    message: expect.stringContaining(`SHA256:own, not ${knownAuthority}`),
  });
});

test('a host that is known by a certificate of its own may get one of a known authority', async () => {
  const hosts = knownHostsInMemory();
  await checkHost(hosts, address, 'SHA256:own');
  await checkHost(hosts, address, knownAuthority);
  await checkHost(hosts, address, 'SHA256:own');
});
